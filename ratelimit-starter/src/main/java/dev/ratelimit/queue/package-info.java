/**
 * Requests that are kept until their limit has room for them, and then handled.
 */
@NullMarked
package dev.ratelimit.queue;

import org.jspecify.annotations.NullMarked;

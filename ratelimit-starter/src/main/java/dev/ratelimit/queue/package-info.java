/**
 * Requests that are kept until their limit has room for them, and then handled: what an
 * application implements, and what keeps them.
 */
@NullMarked
package dev.ratelimit.queue;

import org.jspecify.annotations.NullMarked;

/**
 * Requests that are enqueued until their limit has permits for them, and then handled:
 * the interfaces that an application implements, and the queue itself.
 */
@NullMarked
package dev.ratelimit.queue;

import org.jspecify.annotations.NullMarked;

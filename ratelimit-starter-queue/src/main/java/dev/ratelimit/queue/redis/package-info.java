/**
 * A queue in Redis: its keys, scripts and replies.
 */
@NullMarked
package dev.ratelimit.queue.redis;

import org.jspecify.annotations.NullMarked;

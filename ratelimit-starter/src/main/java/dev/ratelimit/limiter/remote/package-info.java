/**
 * Calls the store of all instances: one breaker per shard, listeners and tracing around
 * it.
 */
@NullMarked
package dev.ratelimit.limiter.remote;

import org.jspecify.annotations.NullMarked;

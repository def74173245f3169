/**
 * Asks the store of all instances: breaker per shard, listeners and tracing around it,
 * and what is reported when it is away.
 */
@NullMarked
package dev.ratelimit.limiter.remote;

import org.jspecify.annotations.NullMarked;

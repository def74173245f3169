/**
 * Redis for {@code store.wire}, by way of Jedis: the protocol, calls of scripts,
 * connections, topology and discovery. The meaning of the calls is left to its callers.
 */
@NullMarked
package dev.ratelimit.store.redis.resp;

import org.jspecify.annotations.NullMarked;

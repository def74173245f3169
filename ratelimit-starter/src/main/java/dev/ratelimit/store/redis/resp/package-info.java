/**
 * Redis for {@code store.wire}, by way of Jedis: the protocol, calls of scripts,
 * connections, topology and discovery. It does not know the meaning of the calls.
 */
@NullMarked
package dev.ratelimit.store.redis.resp;

import org.jspecify.annotations.NullMarked;

/**
 * Runs scripts on Redis by way of Jedis: connections, deadlines, batches, topology and
 * discovery. What its calls are about, it does not know.
 */
@NullMarked
package dev.ratelimit.store.redis.resp;

import org.jspecify.annotations.NullMarked;

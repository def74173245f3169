/**
 * Runs scripts on Redis by way of Jedis: connections, deadlines, batches, topology and
 * discovery. It does not know the meaning of the calls it runs.
 */
@NullMarked
package dev.ratelimit.store.redis.resp;

import org.jspecify.annotations.NullMarked;

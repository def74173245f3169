package dev.ratelimit.store.redis.resp;

import java.time.Duration;

/**
 * The limiter's settings for its own connections, besides the location of Redis.
 *
 * @param keyPrefix the start of every key: 1 to 80 bytes without braces and control
 * characters
 * @param connectTimeout how long opening a connection may take, at least 1 ms
 * @param maxConnections how many connections are open to one Redis node, at least 1
 * @param maxWaiting how many requests wait for a connection to one Redis node, at least
 * 0; others fail at once
 */
public record RedisStoreSettings(String keyPrefix, Duration connectTimeout, int maxConnections, int maxWaiting) {

	/** With a prefix of this length, a key has at most 200 bytes. */
	public static final int MAX_PREFIX_BYTES = 80;

}

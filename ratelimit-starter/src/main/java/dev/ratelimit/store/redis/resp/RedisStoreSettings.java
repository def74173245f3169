package dev.ratelimit.store.redis.resp;

import java.nio.charset.StandardCharsets;
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
 * @param clientName the name of the connections in {@code CLIENT LIST}, without blanks
 */
public record RedisStoreSettings(String keyPrefix, Duration connectTimeout, int maxConnections, int maxWaiting,
		String clientName) {

	/** With a prefix of this length, a key has at most 200 bytes. */
	public static final int MAX_PREFIX_BYTES = 80;

	public RedisStoreSettings {
		int bytes = keyPrefix.getBytes(StandardCharsets.UTF_8).length;
		require(bytes >= 1 && bytes <= MAX_PREFIX_BYTES,
				"The key prefix has 1 to " + MAX_PREFIX_BYTES + " bytes, not " + bytes);
		require(keyPrefix.chars().noneMatch((c) -> c == '{' || c == '}' || Character.isISOControl(c)),
				"The key prefix has neither braces, which name the slot of a key, nor control characters");
		requireMillis("connect timeout", connectTimeout);
		require(maxConnections >= 1, "There is at least one connection to a node, not " + maxConnections);
		require(maxWaiting >= 0, "The number of requests that may wait is at least 0, not " + maxWaiting);
		require(clientName.chars().allMatch((c) -> c >= '!' && c <= '~') && !clientName.isEmpty(),
				"The client name consists of printable ASCII characters without blanks");
	}

	private static void requireMillis(String name, Duration value) {
		require(value.toMillis() >= 1 && value.toMillis() <= Integer.MAX_VALUE,
				"The " + name + " is at least 1 ms, not " + value);
	}

	private static void require(boolean condition, String message) {
		if (!condition) {
			throw new IllegalArgumentException(message);
		}
	}

}

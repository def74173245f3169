package dev.ratelimit.store.redis.resp;

import dev.ratelimit.store.wire.CallRunner;

import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;

/**
 * Opens connections over which every request is sent alone, which no application can do.
 */
public final class UnsharedConnections {

	private UnsharedConnections() {
	}

	/**
	 * Open the connections.
	 * @param details where Redis is
	 * @param settings the settings of the store
	 * @return a runner of scripts on that Redis
	 */
	public static CallRunner open(DataRedisConnectionDetails details, RedisStoreSettings settings) {
		return new RedisConnections(details, settings, false).open();
	}

}

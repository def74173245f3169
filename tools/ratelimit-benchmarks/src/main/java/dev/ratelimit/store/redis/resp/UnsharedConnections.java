package dev.ratelimit.store.redis.resp;

import dev.ratelimit.store.wire.CallRunner;

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
	public static CallRunner open(RedisDetails details, RedisStoreSettings settings) {
		return new RedisConnections(details, settings, false).open();
	}

}

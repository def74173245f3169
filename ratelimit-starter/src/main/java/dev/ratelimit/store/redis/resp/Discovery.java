package dev.ratelimit.store.redis.resp;

/**
 * Discovers the Redis nodes that serve the keys.
 */
@FunctionalInterface
interface Discovery {

	/**
	 * Query Redis over connections of its own. May block.
	 * @return the route that was found
	 * @throws RuntimeException if no server could be queried successfully
	 */
	NodeRoute discover();

}

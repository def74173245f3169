package dev.ratelimit.store.redis.resp;

/**
 * Asks Redis where things are.
 */
@FunctionalInterface
interface Discovery {

	/**
	 * Ask, over connections of its own. May block.
	 * @return what was found
	 * @throws RuntimeException if nobody could say
	 */
	NodeRoute discover();

}

package dev.ratelimit.benchmarks;

/**
 * A way to decide whether a request may proceed, or a floor: the lowest cost of any
 * decision. Safe for concurrent use.
 */
interface Contender extends AutoCloseable {

	/**
	 * Decide a request.
	 * @param key the key of the client
	 * @return whether the request may proceed
	 */
	boolean tryAcquire(String key);

	@Override
	default void close() {
	}

}

package dev.ratelimit.benchmarks;

/**
 * A way to decide whether a request may go on, or a floor: what no decision can undercut.
 * Safe for concurrent use.
 */
interface Contender extends AutoCloseable {

	/**
	 * Decide.
	 * @param key who asks
	 * @return whether it may go on
	 */
	boolean tryAcquire(String key);

	@Override
	default void close() {
	}

}

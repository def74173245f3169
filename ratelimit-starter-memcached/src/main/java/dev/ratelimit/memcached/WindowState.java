package dev.ratelimit.memcached;

import dev.ratelimit.store.Usage;

/**
 * What is counted in a window at one instant: an immutable value with the arithmetic of
 * an algorithm.
 */
sealed interface WindowState permits FixedState, TwoCountersState {

	/** The threshold of the window. */
	long threshold();

	/** The permits that can be taken; negative if more are counted than the threshold. */
	long room();

	/** The time until nothing is counted any more; 0 if nothing is. */
	long resetMicros();

	/**
	 * The time until there is room for a cost that has none now and that the threshold
	 * allows.
	 * @param cost the cost
	 */
	long retryMicros(long cost);

	/** The window with more permits counted; with fewer if the number is negative. */
	WindowState plus(long permits);

	/** What a request gets to see that was admitted. */
	default Usage admitted() {
		return new Usage(remaining(), resetMicros(), 0);
	}

	/**
	 * What a request gets to see that was refused, by this window or by another.
	 * @param cost its cost
	 */
	default Usage refused(long cost) {
		if (cost > threshold()) {
			return new Usage(remaining(), resetMicros(), Usage.NEVER);
		}
		return new Usage(remaining(), resetMicros(), (cost > room()) ? Math.max(1, retryMicros(cost)) : 0);
	}

	private long remaining() {
		return Math.max(0, Math.min(threshold(), room()));
	}

}

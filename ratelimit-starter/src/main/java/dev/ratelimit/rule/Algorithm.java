package dev.ratelimit.rule;

/**
 * How a rule counts.
 */
public enum Algorithm {

	/**
	 * Every admission is remembered with its time; never more than the threshold in any
	 * window of that length. Memory grows with the largest threshold.
	 */
	SLIDING_WINDOW_LOG('l'),

	/**
	 * Two counters, the older one weighted by how much of its window is still in sight:
	 * an estimate in constant memory.
	 */
	SLIDING_WINDOW_COUNTER('c'),

	/**
	 * One counter per window, all windows aligned to the clock. Up to twice the threshold
	 * passes around an edge.
	 */
	FIXED_WINDOW('f'),

	/**
	 * A bucket of tokens that is refilled at a steady rate, or to the brim once per
	 * window.
	 */
	TOKEN_BUCKET('t'),

	/**
	 * A bucket that every request fills and that leaks at a steady rate.
	 */
	LEAKY_BUCKET('b');

	private final char letter;

	Algorithm(char letter) {
		this.letter = letter;
	}

	/**
	 * Whether a threshold has a burst: a capacity beside its rate.
	 * @return whether it is a bucket
	 */
	public boolean isBucket() {
		return this == TOKEN_BUCKET || this == LEAKY_BUCKET;
	}

	/**
	 * The letter that stands for this algorithm in a Redis key.
	 * @return one lower-case letter
	 */
	public char letter() {
		return this.letter;
	}

}

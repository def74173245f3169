package dev.ratelimit.rule;

/**
 * How a rule counts.
 */
public enum Algorithm {

	/**
	 * Every admission is remembered with its time; never more than the threshold in any
	 * window of that length. Memory grows with the largest threshold.
	 */
	SLIDING_WINDOW_LOG('l');

	private final char letter;

	Algorithm(char letter) {
		this.letter = letter;
	}

	/**
	 * The letter that stands for this algorithm in a Redis key.
	 * @return one lower-case letter
	 */
	public char letter() {
		return this.letter;
	}

}

package dev.ratelimit.rule;

import java.util.List;
import java.util.stream.Collectors;

/**
 * How a rule counts.
 */
public enum Algorithm implements RuleChoice {

	/**
	 * Every admission is stored with its time; never more than the threshold in any
	 * window of that length. Memory grows with the largest threshold.
	 */
	SLIDING_WINDOW_LOG('l'),

	/**
	 * Two counters. The older one is weighted by the share of its window that still
	 * overlaps the current one: an estimate in constant memory.
	 */
	SLIDING_WINDOW_COUNTER('c'),

	/**
	 * One counter per window; all windows are aligned to the clock. Up to twice the
	 * threshold is admitted around a window boundary.
	 */
	FIXED_WINDOW('f'),

	/**
	 * A bucket of tokens that is refilled at a steady rate, or completely once per
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

	@Override
	public RuleKey key() {
		return RuleKey.ALGORITHM;
	}

	/**
	 * Whether a threshold has a burst, which is a capacity besides its rate.
	 * @return whether it is a bucket
	 */
	public boolean isBucket() {
		return takes(Option.BURST);
	}

	/**
	 * The most permits that one request can take, whatever the threshold.
	 * @return {@link RLConfig#MAX_LOG_COST} of a log; others have no such bound
	 */
	public long maxCost() {
		return (this == SLIDING_WINDOW_LOG) ? RLConfig.MAX_LOG_COST : Long.MAX_VALUE;
	}

	/**
	 * Whether an option applies to this algorithm.
	 * @param option the option
	 * @return whether a rule with this algorithm may have it
	 */
	public boolean takes(Option option) {
		return option.algorithms().contains(this);
	}

	/**
	 * Check that an option applies to this algorithm.
	 * @param option the option
	 * @param value its value as it was written
	 * @throws InvalidRuleException if it does not; it names the algorithms that support
	 * it
	 */
	public void require(Option option, String value) {
		if (!takes(option)) {
			throw new InvalidRuleException(option.text(), value, "does not go with algorithm " + text(),
					"Use algorithm "
							+ option.algorithms().stream().map(Algorithm::text).collect(Collectors.joining(" or "))
							+ ", or remove " + option.text());
		}
	}

	@Override
	public String text() {
		return Values.text(this);
	}

	/**
	 * The letter that stands for this algorithm in a Redis key, except for a token bucket
	 * that is refilled by interval.
	 * @return one lower-case letter
	 */
	public char letter() {
		return this.letter;
	}

	/**
	 * The options that only some algorithms support.
	 */
	public enum Option {

		/** How a fraction of a request is rounded. */
		ROUNDING,

		/** How tokens are refilled. */
		REFILL,

		/** The capacity of a bucket. */
		BURST,

		/** Whether refused requests use up quota. */
		COUNT_REJECTED;

		List<Algorithm> algorithms() {
			return switch (this) {
				case ROUNDING -> List.of(SLIDING_WINDOW_COUNTER);
				case REFILL -> List.of(TOKEN_BUCKET);
				case BURST -> List.of(TOKEN_BUCKET, LEAKY_BUCKET);
				case COUNT_REJECTED -> List.of(SLIDING_WINDOW_LOG);
			};
		}

		/**
		 * The option as it is written in a rule.
		 * @return for example {@code count-rejected}
		 */
		public String text() {
			return Values.text(this);
		}

	}

}

package dev.ratelimit.backtest.tally;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.Refill;
import dev.ratelimit.rule.lint.LogMemory;

/**
 * The memory of a key in Redis, as documented in {@code docs/redis.md}.
 */
final class KeyMemory {

	private KeyMemory() {
	}

	/**
	 * Estimate the memory of a key.
	 * @param rule its rule
	 * @param permits the number of permits in it
	 * @return its bytes; none for a key that never existed
	 */
	static long bytes(RLConfig rule, long permits) {
		if (permits == 0) {
			return 0;
		}
		int further = rule.allowances().thresholds().size() - 1;
		return switch (rule.counting().algorithm()) {
			case SLIDING_WINDOW_LOG -> LogMemory.estimate(permits).toBytes();
			case SLIDING_WINDOW_COUNTER -> 126 + 28L * further;
			case FIXED_WINDOW -> 119 + 21L * further;
			case TOKEN_BUCKET ->
				(rule.counting().refill() == Refill.INTERVAL) ? 131 + 26L * further : 140 + 18L * further;
			case LEAKY_BUCKET -> 140 + 18L * further;
		};
	}

}

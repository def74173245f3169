package dev.ratelimit.rule;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.rule.Algorithm.Option;

/**
 * The constraints of an algorithm on the options and thresholds of a rule.
 */
final class AlgorithmConstraints {

	/** In microseconds it is below 2^53. */
	private static final Duration LONGEST_FILL = RLWindow.MAX.multipliedBy(200);

	private AlgorithmConstraints() {
	}

	static void requireOptions(Algorithm algorithm, Rounding rounding, Refill refill, boolean countRejected) {
		if (rounding != Rounding.DOWN) {
			algorithm.require(Option.ROUNDING, "up");
		}
		if (refill != Refill.CONTINUOUS) {
			algorithm.require(Option.REFILL, "interval");
		}
		if (countRejected) {
			algorithm.require(Option.COUNT_REJECTED, "true");
		}
	}

	static void requireThresholds(Algorithm algorithm, Refill refill, List<RLThreshold> thresholds) {
		for (RLThreshold threshold : thresholds) {
			requireBurst(algorithm, refill, threshold);
			if (algorithm == Algorithm.SLIDING_WINDOW_LOG && threshold.threshold() > RLConfig.MAX_LOG_THRESHOLD) {
				throw invalid(threshold, "is too large for a log", "With sliding-window-log a threshold is at most "
						+ RLConfig.MAX_LOG_THRESHOLD + "; use another algorithm, such as sliding-window-counter");
			}
			if (algorithm.isBucket()) {
				requireRate(threshold);
			}
		}
	}

	private static void requireBurst(Algorithm algorithm, Refill refill, RLThreshold threshold) {
		if (threshold.burst() == threshold.threshold()) {
			return;
		}
		try {
			algorithm.require(Option.BURST, Long.toString(threshold.burst()));
		}
		catch (InvalidRuleException ex) {
			throw invalid(threshold, "has a burst that " + ex.reason(), ex.cure());
		}
		if (refill == Refill.INTERVAL) {
			throw invalid(threshold,
					"has a burst, which does not go with refill interval: that fills the bucket to its threshold",
					"Remove burst, or use refill continuous");
		}
	}

	/** Within these bounds a store counts every permit and microsecond in a double. */
	private static void requireRate(RLThreshold threshold) {
		long windowMillis = threshold.window().length().toMillis();
		if (threshold.threshold() > windowMillis * 1000) {
			throw invalid(threshold, "is more than one permit per microsecond",
					"With a bucket a threshold is at most %d/%s".formatted(windowMillis * 1000,
							threshold.windowText()));
		}
		long largestBurst = (long) ((double) LONGEST_FILL.toMillis() / windowMillis * threshold.threshold());
		if (threshold.burst() > largestBurst) {
			throw invalid(threshold,
					"has a burst that takes longer than %dd to come back".formatted(LONGEST_FILL.toDays()),
					"Use a burst of at most %d for %d/%s".formatted(largestBurst, threshold.threshold(),
							threshold.windowText()));
		}
	}

	private static InvalidRuleException invalid(RLThreshold threshold, String reason, String cure) {
		return new InvalidRuleException("thresholds", threshold.toString(), reason, cure);
	}

}

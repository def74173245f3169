package dev.ratelimit.rule;

import java.util.List;

import dev.ratelimit.rule.Algorithm.Option;

/**
 * What the options and thresholds of a rule must satisfy for its algorithm.
 */
final class AlgorithmConstraints {

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

	/**
	 * Stores count in microseconds, and remember nothing for longer than the longest
	 * window.
	 */
	private static void requireRate(RLThreshold threshold) {
		long windowMillis = threshold.window().toMillis();
		if (threshold.threshold() > windowMillis * 1000) {
			throw invalid(threshold, "is more than one permit per microsecond",
					"With a bucket a threshold is at most %d/%s".formatted(windowMillis * 1000,
							threshold.windowText()));
		}
		double longestWindows = (double) RLThreshold.MAX_WINDOW.toMillis() / windowMillis;
		long largestBurst = (long) (longestWindows * threshold.threshold());
		if (threshold.burst() > Math.max(largestBurst, threshold.threshold())) {
			throw invalid(threshold, "has a burst that takes longer than 400d to come back",
					"Use a burst of at most %d for %d/%s".formatted(largestBurst, threshold.threshold(),
							threshold.windowText()));
		}
	}

	private static InvalidRuleException invalid(RLThreshold threshold, String reason, String cure) {
		return new InvalidRuleException("thresholds", threshold.toString(), reason, cure);
	}

}

package dev.ratelimit.rule.lint;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.Refill;

/**
 * Finds thresholds that never refuse because another threshold of the same rule always
 * refuses first. Reports only certain cases: around a window boundary most algorithms
 * admit more than the threshold within the length of a window.
 */
final class PointlessThresholds {

	private PointlessThresholds() {
	}

	static List<String> warnings(RLConfig rule) {
		List<String> warnings = new ArrayList<>();
		rule.allowances().limits().forEach((property, limit) -> warnings.addAll(warnings(rule, property, limit)));
		return warnings;
	}

	private static List<String> warnings(RLConfig rule, String property, List<RLThreshold> limit) {
		List<String> warnings = new ArrayList<>();
		List<RLThreshold> thresholds = limit.stream().sorted(Comparator.comparing(RLThreshold::windowLength)).toList();
		for (int i = 0; i < thresholds.size(); i++) {
			RLThreshold shorter = thresholds.get(i);
			for (RLThreshold longer : thresholds.subList(i + 1, thresholds.size())) {
				if (neverRefuses(rule, shorter, longer)) {
					warnings.add(warning(rule, property, shorter, longer));
				}
				else if (neverRefuses(rule, longer, shorter)) {
					warnings.add(warning(rule, property, longer, shorter));
				}
			}
		}
		return warnings;
	}

	private static String warning(RLConfig rule, String property, RLThreshold pointless, RLThreshold because) {
		return "Rule '%s': the threshold %s%s can never be reached, because %s refuses earlier. Remove it or change one of them."
			.formatted(rule.id(), pointless, property.equals("thresholds") ? "" : " in " + property, because);
	}

	/**
	 * Whether a threshold refuses nothing that another one admits.
	 * @param rule their rule
	 * @param threshold the threshold that may be pointless
	 * @param because the other threshold
	 * @return whether that is certain
	 */
	static boolean neverRefuses(RLConfig rule, RLThreshold threshold, RLThreshold because) {
		long windowMillis = threshold.windowLength().toMillis();
		long otherMillis = because.windowLength().toMillis();
		boolean nested = Math.max(windowMillis, otherMillis) % Math.min(windowMillis, otherMillis) == 0;
		long windows = (windowMillis + otherMillis - 1) / otherMillis;
		return switch (rule.counting().algorithm()) {
			// Counted refusals can fill a longer window with more entries than a shorter
			// one admits.
			case SLIDING_WINDOW_LOG ->
				(!rule.counting().countRejected() || windowMillis < otherMillis) && admits(threshold, because, windows);
			case SLIDING_WINDOW_COUNTER -> nested && admits(threshold, because, windows);
			case FIXED_WINDOW -> admits(threshold, because, nested ? windows : windows + 1);
			case TOKEN_BUCKET -> (rule.counting().refill() == Refill.INTERVAL) ? admits(threshold, because, windows + 1)
					: isBigger(threshold, because);
			case LEAKY_BUCKET -> isBigger(threshold, because);
		};
	}

	/**
	 * Whether a threshold has room for all permits that the given number of windows of
	 * another one admit.
	 */
	private static boolean admits(RLThreshold threshold, RLThreshold because, long windows) {
		return because.threshold() <= threshold.threshold() / windows;
	}

	/**
	 * A bucket with at least the same capacity and refill rate is never empty first.
	 */
	private static boolean isBigger(RLThreshold threshold, RLThreshold because) {
		return threshold.burst() >= because.burst() && rate(threshold, because.windowLength().toMillis())
			.compareTo(rate(because, threshold.windowLength().toMillis())) >= 0;
	}

	private static BigInteger rate(RLThreshold threshold, long otherMillis) {
		return BigInteger.valueOf(threshold.threshold()).multiply(BigInteger.valueOf(otherMillis));
	}

}

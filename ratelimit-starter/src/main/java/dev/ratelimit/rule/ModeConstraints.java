package dev.ratelimit.rule;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The constraints of a mode on its rule.
 */
final class ModeConstraints {

	private ModeConstraints() {
	}

	static void require(Mode mode, Algorithm algorithm, boolean countRejected, CountOn countOn) {
		Mode.ModeKind kind = mode.kind();
		if (!kind.algorithms().contains(algorithm)) {
			throw new InvalidRuleException("mode", kind.text(), "does not go with algorithm " + algorithm.text(),
					"Use mode strict, or algorithm "
							+ kind.algorithms().stream().map(Algorithm::text).collect(Collectors.joining(" or ")));
		}
		if (kind != Mode.ModeKind.STRICT && countRejected) {
			throw new InvalidRuleException("mode", kind.text(),
					"does not go with count-rejected, as the store does not see every refusal",
					"Use mode strict, or remove count-rejected");
		}
		if (kind != Mode.ModeKind.STRICT && !countOn.isAlways()) {
			throw new InvalidRuleException("mode", kind.text(),
					"does not go with count-on " + countOn + ", which releases single permits in the store",
					"Use mode strict, or remove count-on");
		}
	}

	/**
	 * The windows of a limit must not be shorter than the lease time or sync interval of
	 * its mode.
	 */
	static void requireWindows(Mode mode, String property, List<RLThreshold> thresholds) {
		for (RLThreshold threshold : thresholds) {
			if (mode instanceof Mode.Leased leased) {
				Duration time = leased.time(thresholds);
				if (time.compareTo(threshold.window().length()) > 0) {
					throw new InvalidRuleException("lease-time", leased.timeText(),
							"is longer than the window of %s in %s".formatted(threshold, property),
							"Use at most " + threshold.windowText() + ", better a tenth of it, or leave it out");
				}
				if (threshold.window().length().plus(time).compareTo(RLWindow.MAX) > 0) {
					throw new InvalidRuleException(property, threshold.toString(),
							"has a window that is too long for mode leased", "Use a window of at most 399d");
				}
				if (leased.size().orElse(1L) > threshold.threshold()) {
					throw new InvalidRuleException("lease-size", leased.sizeText(),
							"is above %s in %s".formatted(threshold, property),
							"Use at most " + threshold.threshold() + ", or auto");
				}
			}
			if (mode instanceof Mode.Synced synced && synced.interval().compareTo(threshold.window().length()) > 0) {
				throw new InvalidRuleException("sync-interval", DurationText.of(synced.interval()),
						"is longer than the window of %s in %s".formatted(threshold, property),
						"Use at most " + threshold.windowText());
			}
		}
	}

}

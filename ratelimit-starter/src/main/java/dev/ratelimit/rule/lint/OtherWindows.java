package dev.ratelimit.rule.lint;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ratelimit.rule.Allowance;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;

/**
 * Finds plans that do not have the windows of their rule. Whoever comes without the plan,
 * or is asked about by code, is counted in the windows of the rule only, and with a
 * shorter horizon: what the plan had counted in its own ones is forgotten.
 */
final class OtherWindows {

	private OtherWindows() {
	}

	static Optional<String> warning(RLConfig rule) {
		Set<Duration> windows = windows(rule.thresholds());
		String others = rule.plans()
			.allowances()
			.entrySet()
			.stream()
			.filter((plan) -> plan.getValue() instanceof Allowance.Limited limited
					&& !windows(limited.thresholds()).equals(windows))
			.map((plan) -> plan.getKey() + " (" + plan.getValue() + ")")
			.collect(Collectors.joining(", "));
		return others.isEmpty() ? Optional.empty() : Optional
			.of(("Rule '%s' has plans whose windows are not those of its thresholds: %s. What was used in "
					+ "a window is forgotten when the same key comes with another plan, without one, or from code. "
					+ "Give all plans and the thresholds the same windows.")
				.formatted(rule.id(), others));
	}

	private static Set<Duration> windows(List<RLThreshold> thresholds) {
		return thresholds.stream().map(RLThreshold::window).collect(Collectors.toSet());
	}

}

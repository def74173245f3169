package dev.ratelimit.rule.lint;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RLWindow;

/**
 * Finds rules whose plans have more windows than a key stores. Besides the windows in
 * which a request is counted, a key stores eight.
 */
final class PlanWindowMismatchCheck {

	private static final int MOST = 8;

	private PlanWindowMismatchCheck() {
	}

	static Optional<String> warning(RLConfig rule) {
		List<Set<RLWindow>> allowances = rule.thresholdsOfPlans()
			.stream()
			.map(PlanWindowMismatchCheck::windows)
			.toList();
		Set<RLWindow> all = new HashSet<>();
		allowances.forEach(all::addAll);
		return allowances.stream().allMatch((windows) -> all.size() - windows.size() <= MOST) ? Optional.empty()
				: Optional
					.of(("Rule '%s' and its plans have %d different windows. A key keeps what was used in at most "
							+ "%d windows beside those of the plan that it comes with: a client with many plans may get more "
							+ "than they allow. Give the plans the same windows.")
						.formatted(rule.id(), all.size(), MOST));
	}

	private static Set<RLWindow> windows(List<RLThreshold> thresholds) {
		return thresholds.stream().map(RLThreshold::window).collect(Collectors.toSet());
	}

}

package dev.ratelimit.rule.source;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.rule.RuleSet;

/**
 * Finds what is allowed but pointless.
 */
public final class RuleLint {

	private RuleLint() {
	}

	/**
	 * Look at all rules.
	 * @param rules the rules
	 * @return what should be logged as a warning, a sentence or two each
	 */
	public static List<String> warnings(RuleSet rules) {
		List<RLConfig> enabled = rules.enabled();
		if (enabled.isEmpty()) {
			return List.of(rules.rules().isEmpty()
					? "There are no rate limit rules, so nothing is limited. Add some under ratelimit.rules."
					: "All rate limit rules are disabled, so nothing is limited.");
		}
		List<String> warnings = new ArrayList<>();
		for (RLConfig rule : enabled) {
			pointlessThresholds(rule, warnings);
			if (isEvadable(rule) && !hasOuterRule(rule, enabled)) {
				warnings.add(
						"Rule '%s' counts by %s, which clients choose freely: who changes it starts anew. Add a rule over the same paths that counts by ip, principal or global."
							.formatted(rule.id(), names(rule.key())));
			}
		}
		return warnings;
	}

	private static void pointlessThresholds(RLConfig rule, List<String> warnings) {
		List<RLThreshold> thresholds = rule.thresholds()
			.stream()
			.sorted(Comparator.comparing(RLThreshold::window))
			.toList();
		for (int i = 0; i < thresholds.size(); i++) {
			for (RLThreshold longer : thresholds.subList(i + 1, thresholds.size())) {
				RLThreshold shorter = thresholds.get(i);
				if (shorter.threshold() >= longer.threshold()) {
					warnings.add(neverBites(rule, shorter, longer));
				}
				else if (!rule.countRejected() && admittedIn(longer, shorter) <= longer.threshold()) {
					warnings.add(neverBites(rule, longer, shorter));
				}
			}
		}
	}

	/** How many the shorter window lets through within the longer one at most. */
	private static long admittedIn(RLThreshold longer, RLThreshold shorter) {
		long shorterMillis = shorter.window().toMillis();
		long windows = (longer.window().toMillis() + shorterMillis - 1) / shorterMillis;
		return (shorter.threshold() > Long.MAX_VALUE / windows) ? Long.MAX_VALUE : shorter.threshold() * windows;
	}

	private static String neverBites(RLConfig rule, RLThreshold pointless, RLThreshold because) {
		return "Rule '%s': the threshold %s can never be reached, because %s refuses earlier. Remove it or change one of them."
			.formatted(rule.id(), pointless, because);
	}

	private static boolean isEvadable(RLConfig rule) {
		return !rule.paths().isEmpty() && rule.key().stream().allMatch(KeySource::isClientChosen);
	}

	private static boolean hasOuterRule(RLConfig rule, List<RLConfig> rules) {
		return rule.paths()
			.stream()
			.allMatch((path) -> rules.stream()
				.anyMatch((outer) -> outer.key().stream().noneMatch(KeySource::isClientChosen)
						&& coversMethods(outer, rule)
						&& outer.paths().stream().anyMatch((pattern) -> covers(pattern, path))));
	}

	private static boolean coversMethods(RLConfig outer, RLConfig rule) {
		return outer.methods().isEmpty()
				|| (!rule.methods().isEmpty() && rule.methods().stream().allMatch(outer::coversMethod));
	}

	/** Simple on purpose: the same pattern, or all paths below a common start. */
	private static boolean covers(String pattern, String path) {
		String outer = anonymous(pattern);
		String inner = anonymous(path);
		return outer.equals(inner)
				|| (outer.endsWith("/**") && inner.startsWith(outer.substring(0, outer.length() - 2)));
	}

	/** Variables without their names: {@code {id}} as {@code *}. */
	private static String anonymous(String pattern) {
		return pattern.replaceAll("\\{\\*[^{}:]+}", "**").replaceAll("\\{[^{}:*]+}", "*");
	}

	private static String names(List<KeySource> key) {
		return String.join(", ", key.stream().map(KeySource::toString).toList());
	}

}

package dev.ratelimit.rule.source;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;

import org.springframework.util.unit.DataSize;

/**
 * Finds what is allowed but pointless or dear.
 */
public final class RuleLint {

	private RuleLint() {
	}

	/**
	 * Look at all rules.
	 * @param rules the rules
	 * @param logMemory how much memory one key of a log may take unnoticed
	 * @return what should be logged as a warning, a sentence or two each
	 */
	public static List<String> warnings(RuleSet rules, DataSize logMemory) {
		List<RLConfig> enabled = rules.enabled();
		if (enabled.isEmpty()) {
			return List.of(rules.rules().isEmpty()
					? "There are no rate limit rules, so nothing is limited. Add some under ratelimit.rules."
					: "All rate limit rules are disabled, so nothing is limited.");
		}
		List<String> warnings = new ArrayList<>();
		for (RLConfig rule : enabled) {
			warnings.addAll(PointlessThresholds.warnings(rule));
			LogMemory.warning(rule, logMemory).ifPresent(warnings::add);
			rule.plans()
				.key()
				.filter(KeySource::isClientChosen)
				.map((key) -> "Rule '%s' takes the plan from %s, which clients choose freely: anybody can claim any plan. Take it from principal, session or bean:NAME, or make sure that a gateway sets it on every request."
					.formatted(rule.id(), key))
				.ifPresent(warnings::add);
			OtherWindows.warning(rule).ifPresent(warnings::add);
			if (isEvadable(rule) && !hasOuterRule(rule, enabled)) {
				warnings.add(
						"Rule '%s' counts by %s, which clients choose freely: who changes it starts anew. Add a rule over the same paths that counts by ip, principal or global."
							.formatted(rule.id(), names(rule.key())));
			}
		}
		return warnings;
	}

	private static boolean isEvadable(RLConfig rule) {
		return !rule.paths().isEmpty() && rule.key().stream().allMatch(KeySource::isClientChosen);
	}

	private static boolean hasOuterRule(RLConfig rule, List<RLConfig> rules) {
		return rule.paths()
			.stream()
			.allMatch((path) -> rules.stream()
				.anyMatch((outer) -> isAlwaysEnforced(outer)
						&& outer.key().stream().noneMatch(KeySource::isClientChosen) && coversMethods(outer, rule)
						&& outer.paths().stream().anyMatch((pattern) -> covers(pattern, path))));
	}

	private static boolean isAlwaysEnforced(RLConfig rule) {
		return !rule.shadow() && rule.when() instanceof Condition.Always && rule.countOn().isAlways();
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

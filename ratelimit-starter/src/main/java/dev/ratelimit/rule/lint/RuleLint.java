package dev.ratelimit.rule.lint;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.rule.KeySource;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;

import org.springframework.util.unit.DataSize;

/**
 * Finds what is allowed but pointless, dear or dangerous.
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
		Coverage coverage = new Coverage();
		ShadowedRules shadowed = new ShadowedRules(enabled, coverage);
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
			shadowed.warning(rule).ifPresent(warnings::add);
			OpenDoors.warning(rule).ifPresent(warnings::add);
			if (isEvadable(rule) && !hasOuterRule(rule, enabled, coverage)) {
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

	private static boolean hasOuterRule(RLConfig rule, List<RLConfig> rules, Coverage coverage) {
		return rule.paths()
			.stream()
			.allMatch((path) -> rules.stream()
				.anyMatch((outer) -> Coverage.isAlwaysEnforced(outer)
						&& outer.key().stream().noneMatch(KeySource::isClientChosen)
						&& Coverage.coversMethods(outer, rule) && coverage.coversPath(outer, path)));
	}

	private static String names(List<KeySource> key) {
		return String.join(", ", key.stream().map(KeySource::toString).toList());
	}

}

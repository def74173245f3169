package dev.ratelimit.rule.config;

import java.util.List;

import dev.ratelimit.rule.RuleSet;

/**
 * The rules that were read, and the warnings found meanwhile.
 *
 * @param rules the rules
 * @param warnings the problems that do not fail the start but should be logged
 */
public record LoadedRules(RuleSet rules, List<String> warnings) {

	public LoadedRules {
		warnings = List.copyOf(warnings);
	}

}

package dev.ratelimit.rule.source;

import java.util.List;

import dev.ratelimit.rule.RuleSet;

/**
 * What was read, and what was noticed meanwhile.
 *
 * @param rules the rules
 * @param warnings what does not stop the start but should be logged
 */
public record LoadedRules(RuleSet rules, List<String> warnings) {

	public LoadedRules {
		warnings = List.copyOf(warnings);
	}

}

package dev.ratelimit.backtest.tally;

import java.util.List;
import java.util.Optional;

/**
 * What came of the rules of one file.
 *
 * @param file the name of the file
 * @param warnings what is to be known about it
 * @param unmatched how many requests no rule matched, or were exempt
 * @param admitted how many of the others pass
 * @param refused how many do not
 * @param rules what came of each rule
 */
public record RuleSetResult(String file, List<String> warnings, long unmatched, long admitted, long refused,
		List<RuleResult> rules) {

	public RuleSetResult {
		warnings = List.copyOf(warnings);
		rules = List.copyOf(rules);
	}

	/**
	 * Find a rule.
	 * @param id its id
	 * @return what came of it, if there is one of that id
	 */
	public Optional<RuleResult> find(String id) {
		return this.rules.stream().filter((rule) -> rule.id().equals(id)).findFirst();
	}

}

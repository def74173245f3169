package dev.ratelimit.backtest.tally;

import java.util.List;
import java.util.Optional;

/**
 * The results of the rules of one file.
 *
 * @param file the name of the file
 * @param warnings warnings about the file
 * @param unmatched the number of requests that no rule matched, or that were exempt
 * @param admitted the number of other requests that pass
 * @param refused the number of other requests that do not
 * @param rules the results of each rule
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
	 * @return its result, if there is a rule with that id
	 */
	public Optional<RuleResult> find(String id) {
		return this.rules.stream().filter((rule) -> rule.id().equals(id)).findFirst();
	}

}

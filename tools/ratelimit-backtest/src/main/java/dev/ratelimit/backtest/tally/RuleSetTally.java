package dev.ratelimit.backtest.tally;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.ratelimit.backtest.replay.Replayed;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;

/**
 * The counts of the rules of one file.
 */
public final class RuleSetTally {

	private final Timeline timeline;

	private final Map<String, RuleTally> rules = new LinkedHashMap<>();

	private long unmatched;

	private long admitted;

	private long refused;

	/**
	 * Create an empty tally.
	 * @param rules the rules
	 * @param timeline the time over which they are counted
	 */
	public RuleSetTally(RuleSet rules, Timeline timeline) {
		this.timeline = timeline;
		for (RLConfig rule : rules.enabled()) {
			this.rules.put(rule.id(), new RuleTally(rule, timeline));
		}
	}

	/**
	 * Count a request.
	 * @param replayed the decisions of the rules that match it
	 */
	public void add(List<Replayed> replayed) {
		boolean refused = false;
		for (Replayed one : replayed) {
			Objects.requireNonNull(this.rules.get(one.rule().id())).add(one);
			refused |= one.outcome().filter(Outcome.REJECTED::equals).isPresent() && !one.rule().enforcement().shadow();
		}
		if (replayed.isEmpty()) {
			this.unmatched++;
		}
		else if (refused) {
			this.refused++;
		}
		else {
			this.admitted++;
		}
	}

	/**
	 * The result.
	 * @param file the name of the file
	 * @param warnings warnings about the file
	 * @return the result
	 */
	public RuleSetResult result(String file, List<String> warnings) {
		return new RuleSetResult(file, warnings, this.unmatched, this.admitted, this.refused,
				this.rules.values().stream().map((rule) -> rule.result(this.timeline)).toList());
	}

}

package dev.ratelimit.actuate.insight;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.rules.RuleSetListener;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.support.LogFields;

/**
 * The decisions of this instance since its start, per rule. A decision costs a map
 * look-up and a counter.
 */
public final class DecisionTotals implements DecisionListener, RuleSetListener {

	private static final Map<Outcome, LongAdder> NONE = counters();

	private final Map<String, Map<Outcome, LongAdder>> byRule = new ConcurrentHashMap<>();

	@Override
	public boolean isTimed() {
		return false;
	}

	@Override
	public void decided(RuleRequest ruleRequest, RateLimitDecision decision, Outcome outcome, long nanos) {
		count(decision.rule(), outcome);
	}

	@Override
	public void undecided(String rule, Outcome outcome) {
		count(rule, outcome);
	}

	private void count(String rule, Outcome outcome) {
		Map<Outcome, LongAdder> counters = this.byRule.get(rule);
		if (counters == null) {
			counters = this.byRule.computeIfAbsent(rule, (missing) -> counters());
		}
		LongAdder counter = counters.get(outcome);
		if (counter != null) {
			counter.increment();
		}
	}

	private static Map<Outcome, LongAdder> counters() {
		Map<Outcome, LongAdder> counters = new EnumMap<>(Outcome.class);
		for (Outcome outcome : Outcome.values()) {
			counters.put(outcome, new LongAdder());
		}
		return counters;
	}

	/**
	 * The outcomes of the decisions of a rule.
	 * @param rule the id of the rule
	 * @return the number of decisions by outcome, in lower case; all outcomes, in order
	 */
	public Map<String, Long> of(String rule) {
		Map<String, Long> totals = new LinkedHashMap<>();
		this.byRule.getOrDefault(rule, NONE)
			.forEach((outcome, counter) -> totals.put(LogFields.text(outcome), counter.sum()));
		return totals;
	}

	/** Drop the totals of all rules except these. */
	@Override
	public Runnable prepare(CompiledRules rules) {
		Set<String> kept = rules.ruleSet().rules().stream().map(RLConfig::id).collect(Collectors.toSet());
		return () -> this.byRule.keySet().retainAll(kept);
	}

}

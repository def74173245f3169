package dev.ratelimit.limiter.insight;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.RuleRequest;

/**
 * Records the clients of each rule in force, and what other thresholds would have
 * decided. While its client is known and not on trial, a decision costs a few look-ups
 * and additions, no lock and no allocation. {@link HeaviestClients} and {@link Trials}
 * document the bounds of all other cases, and of the memory.
 */
public final class Insights implements DecisionListener {

	private final InstantSource clock;

	private final RandomGenerator random;

	private final IntSupplier instances;

	private final LongSupplier nanoTime;

	/** Compiled rules are compared by identity: a changed rule is another one. */
	private volatile Map<CompiledRule, RuleInsight> rules = Map.of();

	/**
	 * Record the clients of rules.
	 * @param rules the rules
	 * @param clock provides the time from which they are recorded
	 * @param random creates seeds of hashes
	 * @param instances how many instances share the limits
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public Insights(CompiledRules rules, InstantSource clock, RandomGenerator random, IntSupplier instances,
			LongSupplier nanoTime) {
		this.clock = clock;
		this.random = random;
		this.instances = instances;
		this.nanoTime = nanoTime;
		follow(rules);
	}

	/**
	 * Record other rules. The data of unchanged rules is kept, and that of all others is
	 * dropped.
	 * @param rules the rules
	 */
	public void follow(CompiledRules rules) {
		Map<CompiledRule, RuleInsight> before = this.rules;
		Map<CompiledRule, RuleInsight> after = new HashMap<>();
		for (CompiledRule rule : rules.enabled()) {
			RuleInsight known = before.get(rule);
			after.put(rule, (known != null) ? known : new RuleInsight(rule, this.clock.instant(),
					this.random.nextLong(), this.instances, this.nanoTime));
		}
		this.rules = after;
	}

	/**
	 * The data of a rule.
	 * @param rule the id of the rule
	 * @return the recorded data; empty if no such rule is in force
	 */
	public Optional<RuleInsight> find(String rule) {
		return this.rules.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().id().equals(rule))
			.map(Map.Entry::getValue)
			.findFirst();
	}

	@Override
	public boolean isTimed() {
		return false;
	}

	@Override
	public void decided(RuleRequest ruleRequest, RateLimitDecision decision, Outcome outcome, long nanos) {
		RuleInsight insight = this.rules.get(ruleRequest.rule());
		if (insight != null) {
			insight.add(ruleRequest, decision, outcome);
		}
	}

}

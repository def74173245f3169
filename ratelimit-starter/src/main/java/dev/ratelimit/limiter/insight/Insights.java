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
import dev.ratelimit.limiter.RuleDecision;

/**
 * Watches who asks and what other thresholds would have done, for each rule in force. A
 * decision costs a few look-ups and additions, no lock and no object, while its client is
 * known and not on trial; the bounds of the rest, and of the memory, stand with
 * {@link HeaviestClients} and {@link Trials}.
 */
public final class Insights implements DecisionListener {

	private final InstantSource clock;

	private final RandomGenerator random;

	private final IntSupplier instances;

	private final LongSupplier nanoTime;

	/** Compiled rules are equal only to themselves: one that has changed is another. */
	private volatile Map<CompiledRule, RuleInsight> rules = Map.of();

	/**
	 * Watch rules.
	 * @param rules the rules
	 * @param clock tells since when they are watched
	 * @param random makes seeds of hashes
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
	 * Watch other rules. What is known of those that stay as they are is kept, and that
	 * of all others is forgotten.
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
	 * What is known of a rule.
	 * @param rule the id of the rule
	 * @return what was seen; nothing if there is no such rule in force
	 */
	public Optional<RuleInsight> find(String rule) {
		return this.rules.entrySet()
			.stream()
			.filter((entry) -> entry.getKey().id().equals(rule))
			.map(Map.Entry::getValue)
			.findFirst();
	}

	@Override
	public void decided(RuleDecision decided, Outcome outcome, long nanos) {
		RuleInsight insight = this.rules.get(decided.ruleRequest().rule());
		if (insight != null) {
			insight.add(decided, outcome);
		}
	}

	@Override
	public void decided(RateLimitDecision decision, Outcome outcome, long nanos) {
		// Nobody is known to have asked.
	}

	@Override
	public void undecided(String rule, Outcome outcome) {
		// Nobody was counted.
	}

	@Override
	public void late(String rule) {
		// Is told as a decision too.
	}

	@Override
	public void released(String rule, boolean acknowledged) {
		// Whoever asked has asked all the same.
	}

}

package dev.ratelimit.actuate.insight;

import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.rules.RuleSetListener;

/**
 * Records the heaviest clients of each rule in force. While its client is known, a
 * decision costs a few look-ups and additions, no lock and no allocation.
 * {@link HeaviestClients} documents the bounds of all other cases, and of the memory.
 */
public final class Insights implements DecisionListener, RuleSetListener {

	private final InstantSource clock;

	/** Compiled rules are compared by identity: a changed rule is another one. */
	private volatile Map<CompiledRule, HeaviestClients> rules = Map.of();

	/**
	 * Record no clients yet.
	 * @param clock provides the time from which they are recorded
	 */
	public Insights(InstantSource clock) {
		this.clock = clock;
	}

	/**
	 * Record the clients of rules. The data of unchanged rules is kept, and that of all
	 * others is dropped.
	 */
	@Override
	public Runnable prepare(CompiledRules rules) {
		return () -> follow(rules);
	}

	private void follow(CompiledRules rules) {
		Map<CompiledRule, HeaviestClients> before = this.rules;
		Map<CompiledRule, HeaviestClients> after = new HashMap<>();
		for (CompiledRule rule : rules.enabled()) {
			HeaviestClients known = before.get(rule);
			after.put(rule, (known != null) ? known : new HeaviestClients(this.clock.instant()));
		}
		this.rules = after;
	}

	/**
	 * The heaviest clients of a rule.
	 * @param rule the id of the rule
	 * @return the recorded data; empty if no such rule is in force
	 */
	public Optional<HeaviestClients> find(String rule) {
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
		HeaviestClients clients = this.rules.get(ruleRequest.rule());
		if (clients != null) {
			clients.add(ruleRequest.subject(), !decision.isAllowed());
		}
	}

}

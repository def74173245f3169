package dev.ratelimit.limiter.insight;

import java.time.Instant;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.RuleRequest;

/**
 * What this instance has recorded for one rule since its last change. Tested by
 * {@code InsightsTests}.
 */
public final class RuleInsight {

	/** Random, so that clients cannot choose their hashes. */
	private final long seed;

	private final Instant since;

	private final HeaviestClients clients = new HeaviestClients();

	private final Trials trials;

	RuleInsight(CompiledRule rule, Instant since, long seed, IntSupplier instances, LongSupplier nanoTime) {
		this.since = since;
		this.seed = seed;
		this.trials = new Trials(rule.config().countOn().isAlways(), instances, nanoTime);
	}

	void add(RuleRequest ruleRequest, RateLimitDecision decision, Outcome outcome) {
		long hash = hash(ruleRequest.subject().text());
		boolean isHeavy = this.clients.add(ruleRequest.subject(), hash, !decision.isAllowed());
		// Released permits have used nothing up, and decisions without the store do not
		// reflect the whole limit.
		if (ruleRequest.allowance() instanceof CompiledLimited limited && outcome != Outcome.RELEASED
				&& decision.source() != Source.LOCAL && decision.source() != Source.NONE) {
			this.trials.add(ruleRequest.subject(), hash, isHeavy, limited.limit(), ruleRequest.cost(), decision);
		}
	}

	/**
	 * Mixed by the finalizer of MurmurHash3, so that every bit depends on every other
	 * one.
	 */
	private long hash(String subject) {
		long hash = subject.hashCode() ^ this.seed;
		hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
		hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
		return hash ^ hash >>> 33;
	}

	/**
	 * The time from which data is recorded: the start of the application or a change of
	 * the rule.
	 * @return the time
	 */
	public Instant since() {
		return this.since;
	}

	/**
	 * The clients with the most requests.
	 * @param most the maximum number of clients
	 * @return the clients, the heaviest first
	 */
	public List<HeavyClient> heaviestClients(int most) {
		return this.clients.heaviest(most);
	}

	/**
	 * Evidence on whether the thresholds are right.
	 * @return the evidence for or against other thresholds
	 */
	public Evidence evidence() {
		return this.trials.evidence();
	}

}

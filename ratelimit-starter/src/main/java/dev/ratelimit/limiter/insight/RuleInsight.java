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
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;

/**
 * What this instance has seen of one rule since the rule is as it is.
 */
public final class RuleInsight {

	/** Nobody can choose clients by how they are hashed. */
	private final long seed;

	private final Instant since;

	private final HeaviestClients clients = new HeaviestClients();

	private final Trials trials;

	RuleInsight(CompiledRule rule, Instant since, long seed, IntSupplier instances, LongSupplier nanoTime) {
		this.since = since;
		this.seed = seed;
		this.trials = new Trials(rule.config().countOn().isAlways(), instances, nanoTime);
	}

	void add(RuleDecision decided, Outcome outcome) {
		RuleRequest ruleRequest = decided.ruleRequest();
		RateLimitDecision decision = decided.decision();
		long hash = hash(ruleRequest.subject().text());
		boolean isHeavy = this.clients.add(ruleRequest.subject(), hash, !decision.isAllowed());
		// What was given back has used nothing up, and what was decided without the store
		// says nothing of the whole limit.
		if (ruleRequest.allowance() instanceof CompiledLimited limited && outcome != Outcome.RELEASED
				&& decision.source() != Source.LOCAL && decision.source() != Source.NONE) {
			this.trials.add(ruleRequest.subject(), hash, isHeavy, limited.limit(), ruleRequest.cost(), decision);
		}
	}

	/** Mixed by the finalizer of MurmurHash3: every bit depends on every other one. */
	private long hash(String subject) {
		long hash = subject.hashCode() ^ this.seed;
		hash = (hash ^ hash >>> 33) * 0xff51afd7ed558ccdL;
		hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
		return hash ^ hash >>> 33;
	}

	/**
	 * Since when this was seen: the start of the application or a change of the rule.
	 * @return the time
	 */
	public Instant since() {
		return this.since;
	}

	/**
	 * The clients that asked most.
	 * @param most how many at most
	 * @return the clients, the heaviest first
	 */
	public List<HeavyClient> heaviestClients(int most) {
		return this.clients.heaviest(most);
	}

	/**
	 * Whether the thresholds are right.
	 * @return what speaks for others
	 */
	public Evidence evidence() {
		return this.trials.evidence();
	}

}

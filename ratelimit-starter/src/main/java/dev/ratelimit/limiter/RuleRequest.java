package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.limiter.CompiledAllowance.CompiledBlocked;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.WaitRange;

/**
 * A rule that applies to a request, and whom it counts.
 *
 * @param rule the rule
 * @param allowance what it allows the one who asks
 * @param subject who is counted
 * @param cost how many permits the request costs; at least 1
 * @param turn how long it can be put off, for its turn; empty where it cannot
 */
public record RuleRequest(CompiledRule rule, CompiledAllowance allowance, Subject subject, long cost,
		Optional<WaitRange> turn) {

	/** A longer time than can be counted is as good as the longest one that can. */
	static final Duration LONGEST_WAIT = Duration.ofDays(400);

	/**
	 * A request that cannot be put off.
	 * @param rule the rule
	 * @param allowance what it allows the one who asks
	 * @param subject who is counted
	 * @param cost how many permits the request costs; at least 1
	 */
	public RuleRequest(CompiledRule rule, CompiledAllowance allowance, Subject subject, long cost) {
		this(rule, allowance, subject, cost, Optional.empty());
	}

	/**
	 * The same request, which waits for its turn.
	 * @param maxWait how long at most; a rule that gives turns is needed
	 * @return an ask for a turn
	 */
	public RuleRequest waiting(Duration maxWait) {
		Duration longest = (maxWait.compareTo(LONGEST_WAIT) > 0) ? LONGEST_WAIT : maxWait;
		return new RuleRequest(this.rule, this.allowance, this.subject, this.cost,
				Optional.of(new WaitRange(0, longest.toNanos() / 1000)));
	}

	/**
	 * The same request, as its rule wants it to wait.
	 * @return an ask for a turn; this one where the rule does not delay
	 */
	public RuleRequest asTheRuleDelays() {
		return this.rule.turn().isEmpty() ? this
				: new RuleRequest(this.rule, this.allowance, this.subject, this.cost, this.rule.turn());
	}

	/**
	 * Whether the request waits for its turn.
	 * @return whether it does
	 */
	public boolean waits() {
		return this.turn.isPresent();
	}

	/**
	 * Whether waiting can help: not where the rule blocks the one who asks, nor where the
	 * request costs more than the limit ever has.
	 * @return whether there may be room for it at some time
	 */
	public boolean mayEverBeAdmitted() {
		return !(this.allowance instanceof CompiledBlocked) && (!(this.allowance instanceof CompiledLimited limited)
				|| this.cost <= limited.limit().smallestCapacity());
	}

	/**
	 * Whether whoever asks has said how long he waits, which he counts from when he
	 * asked. A rule counts from when it was asked.
	 */
	boolean isBoundByCaller() {
		return waits() && !this.turn.equals(this.rule.turn());
	}

	/** Whether a refusal can be told from memory, and kept there. */
	boolean repeatsRefusals() {
		return this.rule.repeatsRefusals() && this.turn.isEmpty();
	}

}

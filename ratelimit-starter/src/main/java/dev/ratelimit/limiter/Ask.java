package dev.ratelimit.limiter;

import java.util.Optional;

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
public record Ask(CompiledRule rule, CompiledAllowance allowance, Subject subject, long cost,
		Optional<WaitRange> turn) {

	/**
	 * A request that cannot be put off.
	 * @param rule the rule
	 * @param allowance what it allows the one who asks
	 * @param subject who is counted
	 * @param cost how many permits the request costs; at least 1
	 */
	public Ask(CompiledRule rule, CompiledAllowance allowance, Subject subject, long cost) {
		this(rule, allowance, subject, cost, Optional.empty());
	}

	/**
	 * The same request, which can be put off.
	 * @param range how long
	 * @return an ask for a turn
	 */
	Ask atTurn(WaitRange range) {
		return new Ask(this.rule, this.allowance, this.subject, this.cost, Optional.of(range));
	}

	/** Whether a refusal can be told from memory, and kept there. */
	boolean repeatsRefusals() {
		return this.rule.repeatsRefusals() && this.turn.isEmpty();
	}

}

package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.CompiledAllowance.CompiledBlocked;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.WaitRange;

/**
 * A rule that applies to a request, and the subject that it counts. Tested by
 * {@code AcquireTests}.
 *
 * @param rule the rule
 * @param allowance what the rule allows the client
 * @param subject the counted client
 * @param cost how many permits the request costs; at least 1
 * @param turn how long the request can be delayed until its turn; empty if it cannot be
 * delayed
 */
public record RuleRequest(CompiledRule rule, CompiledAllowance allowance, Subject subject, long cost,
		Optional<WaitRange> turn) {

	/** The longest wait that can be counted; a longer wait is reduced to it. */
	static final Duration LONGEST_WAIT = Duration.ofDays(400);

	/**
	 * Create a request that cannot be delayed.
	 * @param rule the rule
	 * @param allowance what the rule allows the client
	 * @param subject the counted client
	 * @param cost how many permits the request costs; at least 1
	 */
	public RuleRequest(CompiledRule rule, CompiledAllowance allowance, Subject subject, long cost) {
		this(rule, allowance, subject, cost, Optional.empty());
	}

	/**
	 * The same request, which waits for its turn.
	 * @param maxWait the longest wait; requires a rule that gives turns
	 * @return a request for a turn
	 */
	public RuleRequest waiting(Duration maxWait) {
		Duration longest = (maxWait.compareTo(LONGEST_WAIT) > 0) ? LONGEST_WAIT : maxWait;
		return new RuleRequest(this.rule, this.allowance, this.subject, this.cost,
				Optional.of(new WaitRange(0, longest.toNanos() / 1000)));
	}

	/**
	 * The same request, delayed as its rule configures it.
	 * @return a request for a turn; this one if the rule does not delay
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
	 * Whether waiting can help. It cannot if the rule blocks the client, or if the
	 * request costs more than the limit can ever hold.
	 * @return whether the request may be admitted at some time
	 */
	public boolean mayEverBeAdmitted() {
		return !(this.allowance instanceof CompiledBlocked)
				&& (!(this.allowance instanceof CompiledLimited limited) || this.cost <= limited.limit().largestCost());
	}

	/**
	 * Whether the caller has set how long it waits. The caller counts that time from its
	 * call; a rule counts it from when the rule is evaluated.
	 */
	boolean isBoundByCaller() {
		return waits() && !this.turn.equals(this.rule.turn());
	}

	/**
	 * The order in which requests to rules are decided: those that wait for a turn first,
	 * so that the other rules do not count what gets no turn. The others come right
	 * after, not at the turn: what ends before its turn would otherwise bypass them.
	 * @param ruleRequests the requests
	 * @return lists of requests that are decided together
	 */
	public static List<List<RuleRequest>> inOrder(List<RuleRequest> ruleRequests) {
		List<RuleRequest> waiting = ruleRequests.stream().filter(RuleRequest::waits).toList();
		if (waiting.isEmpty() || waiting.size() == ruleRequests.size()) {
			return List.of(ruleRequests);
		}
		return List.of(waiting, ruleRequests.stream().filter((ruleRequest) -> !ruleRequest.waits()).toList());
	}

	/** Whether a decision refuses the request: a rule in shadow only reports. */
	boolean isRefusedBy(RateLimitDecision decision) {
		return !decision.isAllowed() && !this.rule.config().enforcement().shadow();
	}

	/** Whether refusals may be cached, and repeated from memory. */
	boolean mayRepeatRefusal() {
		return this.rule.hasFinalRefusals() && this.turn.isEmpty();
	}

}

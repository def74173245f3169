package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.WaitRange;
import dev.ratelimit.support.Pending;
import dev.ratelimit.support.WaitBudget;
import org.jspecify.annotations.Nullable;

/**
 * Decides a request. Its rules that need the store share one call, a rule whose call
 * failed follows its policy, and the acquired permits are released if a rule refuses.
 * Safe for concurrent use. Costs one {@link RateLimitStore#acquire} per request, none if
 * nothing has to be counted, and one {@link RateLimitStore#settle} if some rules admitted
 * and others refused. A rule in shadow is decided like every other, but refuses no
 * request. A refusal that still holds is repeated from memory. Nothing here waits: what a
 * method returns begins when its caller awaits or starts it.
 */
public final class RequestLimiter {

	/** A key has only one pause; another pause prolongs it. */
	private static final PermitId PAUSE = new PermitId("pause");

	private final DecisionPipeline pipeline;

	private final Duration deadline;

	/**
	 * Create a limiter.
	 * @param pipeline decides requests
	 * @param deadline how long one request waits for stores in total
	 */
	public RequestLimiter(DecisionPipeline pipeline, Duration deadline) {
		this.pipeline = pipeline;
		this.deadline = deadline;
	}

	/**
	 * Create the budget of a request that has not waited yet.
	 * @return the whole deadline, for one request
	 */
	public WaitBudget newBudget() {
		return new WaitBudget(this.deadline);
	}

	/**
	 * Decide a request.
	 * @param ruleRequests the rules that apply to it; at least one
	 * @param budget how long the request may still wait; if nothing is left, the store is
	 * not called
	 * @return the decision; after a refusal no permits stay acquired, except those that
	 * {@code count-rejected} counts
	 */
	public Pending<RequestDecision> decide(List<RuleRequest> ruleRequests, WaitBudget budget) {
		return this.pipeline.decide(ruleRequests, budget);
	}

	/** As above, but notify the given listener instead. */
	public Pending<RequestDecision> decide(List<RuleRequest> ruleRequests, WaitBudget budget,
			DecisionListener listener) {
		return this.pipeline.decide(ruleRequests, budget, listener);
	}

	/**
	 * Decide a request of one rule, which keeps its permits, at once if that is possible
	 * without the store.
	 * @param ruleRequest the rule; not one that waits for a turn
	 * @return the decision; {@code null} if it has to be {@linkplain #decide decided}
	 */
	@Nullable RateLimitDecision decideHere(RuleRequest ruleRequest) {
		return this.pipeline.decideHere(ruleRequest);
	}

	/**
	 * Give no request a turn for a while. A pause that does not reach the store is lost.
	 * @return the result, which needs no attention
	 */
	Pending<?> pause(CompiledLimited limited, RuleRequest ruleRequest, WaitRange pause) {
		return this.pipeline.acquire(
				new AcquireRequest(limited.limit(), ruleRequest.subject(), 1, PAUSE, 1, Optional.of(pause)),
				newBudget());
	}

	/**
	 * Settle the permits of a decision.
	 * @param permits the permits of the decision
	 * @param amount how many of each stay counted: all or fewer
	 * @param budget how long the request may still wait; if nothing is left, it does not
	 * wait
	 * @return the end of it
	 */
	public Pending<?> settle(List<Permit> permits, ToLongFunction<Permit> amount, WaitBudget budget) {
		return this.pipeline.settle(permits, amount, budget);
	}

	/**
	 * Settle the permits of a decision at none, because a later stage refused the
	 * request.
	 * @param permits the permits of the decision
	 * @param budget as for {@link #settle}
	 * @return the end of it
	 */
	public Pending<?> release(List<Permit> permits, WaitBudget budget) {
		return settle(permits, (permit) -> 0, budget);
	}

	/**
	 * Settle the permits of a decision by an outcome: a rule counts it or not.
	 * @param permits the permits of the decision
	 * @param status the outcome, as an HTTP status
	 * @param budget as for {@link #settle}
	 * @return the end of it
	 */
	public Pending<?> settleOutcome(List<Permit> permits, int status, WaitBudget budget) {
		return settle(permits, (permit) -> permit.rule().counting().countOn().counts(status) ? permit.amount() : 0,
				budget);
	}

}

package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.WaitRange;
import dev.ratelimit.support.DaemonThreads;
import dev.ratelimit.support.WaitBudget;

/**
 * Decides a request. Its rules that need the store share one call, a rule whose call
 * failed follows its policy, and the acquired permits are released if a rule refuses.
 * Safe for concurrent use. Costs one {@link RateLimitStore#acquire} per request, none if
 * nothing has to be counted, and one {@link RateLimitStore#release} if some rules
 * admitted and others refused. A rule in shadow is decided like every other, but refuses
 * no request. A refusal that still holds is repeated from memory.
 */
public final class RequestLimiter {

	/** A key has only one pause; another pause prolongs it. */
	private static final PermitId PAUSE = new PermitId("pause");

	private final DecisionPipeline pipeline;

	private final DecisionListener listener;

	private final LongSupplier nanoTime;

	private final Executor releases = DaemonThreads.onDemand("ratelimit-releases", Integer.MAX_VALUE);

	private final Duration deadline;

	/**
	 * Create a limiter.
	 * @param pipeline decides requests
	 * @param listener notified of every decision
	 * @param nanoTime a monotonic clock in nanoseconds
	 * @param deadline how long one request waits for stores in total
	 */
	public RequestLimiter(DecisionPipeline pipeline, DecisionListener listener, LongSupplier nanoTime,
			Duration deadline) {
		this.pipeline = pipeline;
		this.listener = listener;
		this.nanoTime = nanoTime;
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
	public RequestDecision decide(List<RuleRequest> ruleRequests, WaitBudget budget) {
		return decide(ruleRequests, budget, this.listener);
	}

	/** As above, but notify the given listener instead. */
	public RequestDecision decide(List<RuleRequest> ruleRequests, WaitBudget budget, DecisionListener listener) {
		long start = this.nanoTime.getAsLong();
		RequestDecision decision = this.pipeline.decide(ruleRequests, budget, start).await();
		boolean admitted = decision.isAdmitted();
		long nanos = nanosSince(start, listener);
		for (int i = 0; i < decision.decided().size(); i++) {
			RuleDecision one = decision.decided().get(i);
			listener.decided(one.ruleRequest(), one.decision(), one.outcome(admitted), nanos);
		}
		return decision;
	}

	/**
	 * Decide a request of one rule, which has the whole deadline and keeps its permits.
	 * @param ruleRequest the rule; not one that waits for a turn
	 * @return the decision
	 */
	RateLimitDecision decide(RuleRequest ruleRequest) {
		long start = this.nanoTime.getAsLong();
		RateLimitDecision decision = this.pipeline.decide(ruleRequest, this.deadline, start);
		this.listener.decided(ruleRequest, decision, RuleDecision.outcome(decision, true),
				nanosSince(start, this.listener));
		return decision;
	}

	private long nanosSince(long start, DecisionListener listener) {
		return listener.isTimed() ? this.nanoTime.getAsLong() - start : 0;
	}

	/**
	 * Give no request a turn for a while. A pause that does not reach the store is lost.
	 */
	void pause(CompiledLimited limited, RuleRequest ruleRequest, WaitRange pause) {
		this.pipeline.acquire(
				new AcquireRequest(limited.limit(), ruleRequest.subject(), 1, PAUSE, 1, Optional.of(pause)),
				newBudget());
	}

	/**
	 * Release the permits of a decision, because a later stage refused the request or its
	 * outcome does not count.
	 * @param permits the permits of the decision
	 * @param budget how long the request may still wait; if nothing is left, it does not
	 * wait
	 */
	public void release(List<Permit> permits, WaitBudget budget) {
		if (!permits.isEmpty()) {
			this.pipeline.release(permits, budget).await();
		}
	}

	/**
	 * Release those permits of a decision that an outcome does not count.
	 * @param permits the permits of the decision
	 * @param status the outcome, as an HTTP status
	 * @param budget how long the request may still wait
	 */
	public void releaseUncounted(List<Permit> permits, int status, WaitBudget budget) {
		release(uncounted(permits, status), budget);
	}

	/**
	 * Release those permits of a decision that an outcome does not count, and return
	 * without a wait: for threads of others, such as one that completes a future.
	 * @param permits the permits of the decision
	 * @param status the outcome, as an HTTP status
	 * @param budget how long the store may take
	 */
	public void startReleasingUncounted(List<Permit> permits, int status, WaitBudget budget) {
		List<Permit> uncounted = uncounted(permits, status);
		if (!uncounted.isEmpty()) {
			CompletionStage<?> ignored = this.pipeline.release(uncounted, budget).start(this.releases);
		}
	}

	private static List<Permit> uncounted(List<Permit> permits, int status) {
		return permits.stream().filter((permit) -> !permit.rule().counting().countOn().counts(status)).toList();
	}

}

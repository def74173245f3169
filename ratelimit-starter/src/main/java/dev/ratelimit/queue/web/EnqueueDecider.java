package dev.ratelimit.queue.web;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleApplication;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.support.Pending;
import dev.ratelimit.support.WaitBudget;
import dev.ratelimit.web.OnLimitModule.Decided;

/**
 * Decides the rules that enqueue requests, after all others have admitted. A request is
 * to be enqueued if one of them has no permits for it, or if others of the same key are
 * queued already. Tested by {@code RequestQueueTests}.
 */
final class EnqueueDecider {

	private static final DecisionListener NO_LISTENER = DecisionListener.none();

	private final RequestLimiter limiter;

	private final RequestBacklog backlog;

	private final DecisionListener listener;

	private final LongSupplier nanoTime;

	EnqueueDecider(RequestLimiter limiter, RequestBacklog backlog, DecisionListener listener, LongSupplier nanoTime) {
		this.limiter = limiter;
		this.backlog = backlog;
		this.listener = listener;
		this.nanoTime = nanoTime;
	}

	/**
	 * Decide a request.
	 * @param counts the rules, with the subjects they count
	 * @param budget how long the request may still wait
	 * @return the decision of the rules
	 */
	Pending<EnqueueDecision> decide(List<RuleApplication.Counts> counts, WaitBudget budget) {
		return Pending.defer(() -> {
			List<RuleRequest> ruleRequests = counts.stream().map(RuleApplication.Counts::ruleRequest).toList();
			Optional<RuleDecision> refusal = this.backlog.refusal(ruleRequests, budget);
			if (refusal.isPresent()) {
				return Pending.of(decided(new RequestDecision(List.of(refusal.get())), counts, 0));
			}
			long start = this.nanoTime.getAsLong();
			return this.limiter.decide(ruleRequests, budget, NO_LISTENER)
				.map((decision) -> decided(decision, counts, this.nanoTime.getAsLong() - start));
		});
	}

	private EnqueueDecision decided(RequestDecision decision, List<RuleApplication.Counts> counts, long nanos) {
		Optional<RuleRequest> exhausted = exhausted(decision);
		if (exhausted.isEmpty()) {
			report(decision, Outcome.REJECTED, nanos);
		}
		return new EnqueueDecision(decision, exhausted.map((ruleRequest) -> of(ruleRequest, counts)), nanos);
	}

	private static RuleApplication.Counts of(RuleRequest ruleRequest, List<RuleApplication.Counts> counts) {
		return counts.stream()
			.filter((one) -> one.ruleRequest().rule() == ruleRequest.rule())
			.findFirst()
			.orElseThrow();
	}

	/**
	 * Conclude an attempt to enqueue a request.
	 * @param action the attempt
	 * @param outcome its outcome
	 * @return the decision of the rules; for an enqueued request, as if they had admitted
	 * it
	 */
	Decided conclude(EnqueueAction action, EnqueueOutcome outcome) {
		RuleDecision exhausted = action.exhausted();
		boolean enqueued = outcome == EnqueueOutcome.ENQUEUED;
		report(action.decided().decision(), enqueued ? Outcome.ENQUEUED : Outcome.REJECTED, action.decided().nanos());
		if (enqueued) {
			return only(admitting(exhausted));
		}
		boolean noReply = outcome == EnqueueOutcome.NO_REPLY
				&& exhausted.ruleRequest().rule().config().enforcement().onStoreFailure() == OnStoreFailure.DENY;
		return only(noReply ? RequestBacklog.unavailable(exhausted.ruleRequest()) : exhausted);
	}

	private static Decided only(RuleDecision decision) {
		return new Decided(new RequestDecision(List.of(decision)));
	}

	/** The client should not retry: the headers report the state of the limit. */
	private static RuleDecision admitting(RuleDecision exhausted) {
		RateLimitDecision decision = exhausted.decision();
		return new RuleDecision(exhausted.ruleRequest(),
				new Allowed(decision.rule(), decision.source(), decision.quotas()));
	}

	/** The first exhausted rule, if all refusals have that reason. */
	private static Optional<RuleRequest> exhausted(RequestDecision decision) {
		List<RuleDecision> refusing = decision.decided().stream().filter(RuleDecision::refuses).toList();
		boolean allExhausted = refusing.stream()
			.allMatch((one) -> one.decision() instanceof Rejected rejected && rejected.source() != Source.LOCAL
					&& rejected.retryAfter().isPresent());
		return allExhausted ? refusing.stream().findFirst().map(RuleDecision::ruleRequest) : Optional.empty();
	}

	private void report(RequestDecision decision, Outcome refused, long nanos) {
		for (RuleDecision one : decision.decided()) {
			Outcome allowed = decision.isAdmitted() ? Outcome.ALLOWED : Outcome.RELEASED;
			this.listener.decided(one.ruleRequest(), one.decision(), one.decision().isAllowed() ? allowed : refused,
					nanos);
		}
	}

	/**
	 * The decision of the rules that enqueue.
	 *
	 * @param decision the decision
	 * @param exhausted the rule that is to enqueue the request; empty if the request is
	 * admitted, or refused
	 * @param nanos how long it took
	 */
	record EnqueueDecision(RequestDecision decision, Optional<RuleApplication.Counts> exhausted, long nanos) {
	}

}

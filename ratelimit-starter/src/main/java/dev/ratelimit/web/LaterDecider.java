package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleApplication;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.rule.Enforcement;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.spi.LaterHandler;
import dev.ratelimit.spi.LaterHandler.LaterRequest;
import dev.ratelimit.support.Pending;
import dev.ratelimit.support.WaitBudget;

/**
 * Decides the rules that have requests handled later, after all others have admitted. A
 * request is to be handled later if one of them has no permits for it, or if others of
 * the same key are to be handled. Tested by {@code LaterRequestsTests}.
 */
public final class LaterDecider {

	private static final DecisionListener NO_LISTENER = DecisionListener.none();

	private final RequestLimiter limiter;

	private final Backlogs backlogs;

	private final DecisionListener listener;

	private final LongSupplier nanoTime;

	/**
	 * Create a decider.
	 * @param limiter decides the rules
	 * @param handler knows which requests are to be handled later
	 * @param listener is notified of the decisions
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public LaterDecider(RequestLimiter limiter, LaterHandler handler, DecisionListener listener,
			LongSupplier nanoTime) {
		this.limiter = limiter;
		this.backlogs = new Backlogs(handler, nanoTime);
		this.listener = listener;
		this.nanoTime = nanoTime;
	}

	/** Whether the requests of a rule are handled later. */
	boolean decides(RuleRequest ruleRequest) {
		Enforcement enforcement = ruleRequest.rule().config().enforcement();
		return enforcement.onLimit().isHandledLater() && !enforcement.shadow()
				&& ruleRequest.allowance() instanceof CompiledLimited;
	}

	/**
	 * Decide a request. The backlog is read on this thread when the decision begins.
	 * @param counts the rules, with the subjects they count
	 * @param path the path of the request within the application
	 * @param budget how long the request may still wait
	 * @return the decision of the rules
	 */
	Pending<LaterDecision> decide(List<RuleApplication.Counts> counts, String path, WaitBudget budget) {
		return Pending.defer(() -> {
			List<RuleRequest> ruleRequests = counts.stream().map(RuleApplication.Counts::ruleRequest).toList();
			Optional<RuleDecision> refusal = this.backlogs.refusal(ruleRequests, budget);
			if (refusal.isPresent()) {
				return Pending.of(decided(new RequestDecision(List.of(refusal.get())), counts, path, 0));
			}
			long start = this.nanoTime.getAsLong();
			return this.limiter.decide(ruleRequests, budget, NO_LISTENER)
				.map((decision) -> decided(decision, counts, path, this.nanoTime.getAsLong() - start));
		});
	}

	private LaterDecision decided(RequestDecision decision, List<RuleApplication.Counts> counts, String path,
			long nanos) {
		Optional<RuleDecision> exhausted = exhausted(decision);
		if (exhausted.isEmpty()) {
			report(decision, Outcome.REJECTED, nanos);
		}
		return new LaterDecision(decision,
				exhausted.map((one) -> new LaterAttempt(later(one.ruleRequest(), counts, path), one, decision, nanos)));
	}

	private static LaterRequest later(RuleRequest ruleRequest, List<RuleApplication.Counts> counts, String path) {
		Optional<String> plan = counts.stream()
			.filter((one) -> one.ruleRequest().rule() == ruleRequest.rule())
			.findFirst()
			.orElseThrow()
			.plan();
		return new LaterRequest(ruleRequest.rule().config(), ruleRequest.subject(), plan, ruleRequest.cost(), path);
	}

	/** A request is handled later: its client sees a decision that admits it. */
	RequestDecision taken(LaterAttempt attempt) {
		report(attempt.decision(), Outcome.ENQUEUED, attempt.nanos());
		return new RequestDecision(List.of(admitting(attempt.exhausted())));
	}

	/**
	 * A request is not handled later, as far as is known.
	 * @param attempt the attempt
	 * @param isConfirmed whether the module's store has said so
	 * @return the decision of the rules
	 */
	RequestDecision refused(LaterAttempt attempt, boolean isConfirmed) {
		RuleDecision exhausted = attempt.exhausted();
		report(attempt.decision(), Outcome.REJECTED, attempt.nanos());
		boolean isUnavailable = !isConfirmed
				&& exhausted.ruleRequest().rule().config().enforcement().onStoreFailure() == OnStoreFailure.DENY;
		return new RequestDecision(List.of(isUnavailable ? Backlogs.unavailable(exhausted.ruleRequest()) : exhausted));
	}

	/** The client should not retry: the headers report the state of the limit. */
	private static RuleDecision admitting(RuleDecision exhausted) {
		RateLimitDecision decision = exhausted.decision();
		return new RuleDecision(exhausted.ruleRequest(),
				new Allowed(decision.rule(), decision.source(), decision.quotas()));
	}

	/** The first exhausted rule, if all refusals have that reason. */
	private static Optional<RuleDecision> exhausted(RequestDecision decision) {
		List<RuleDecision> refusing = decision.decided().stream().filter(RuleDecision::refuses).toList();
		boolean allExhausted = refusing.stream()
			.allMatch((one) -> one.decision() instanceof Rejected rejected && rejected.source() != Source.LOCAL
					&& rejected.retryAfter().isPresent());
		return allExhausted ? refusing.stream().findFirst() : Optional.empty();
	}

	private void report(RequestDecision decision, Outcome refused, long nanos) {
		for (RuleDecision one : decision.decided()) {
			Outcome allowed = decision.isAdmitted() ? Outcome.ALLOWED : Outcome.RELEASED;
			this.listener.decided(one.ruleRequest(), one.decision(), one.decision().isAllowed() ? allowed : refused,
					nanos);
		}
	}

	/**
	 * The decision of the rules that have requests handled later.
	 *
	 * @param decision the decision
	 * @param attempt what is to be done in place of a refusal; empty if the request is
	 * admitted, or refused
	 */
	record LaterDecision(RequestDecision decision, Optional<LaterAttempt> attempt) {
	}

}

package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.limiter.Application;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.DecisionListener.Outcome;
import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.WaitBudget;
import dev.ratelimit.queue.web.Backlog;
import dev.ratelimit.queue.web.Enqueued;
import dev.ratelimit.queue.web.RequestQueue;
import dev.ratelimit.rule.OnStoreFailure;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;

/**
 * Decides the rules that enqueue requests, after all others have admitted. A request is
 * enqueued if one of them has no permits for it, or if others of the same key are queued
 * already.
 */
final class Enqueuer {

	private static final Duration LEAST_WAIT = Duration.ofSeconds(1);

	private final RequestLimiter limiter;

	private final RequestQueue queue;

	private final DecisionListener listener;

	Enqueuer(RequestLimiter limiter, RequestQueue queue, DecisionListener listener) {
		this.limiter = limiter;
		this.queue = queue;
		this.listener = listener;
	}

	boolean mayKeep(RuleRequest ruleRequest, HttpServletRequest request) {
		return this.queue.mayKeep(ruleRequest, request);
	}

	/**
	 * Decide the rules of a candidate.
	 * @param candidate the rules and the subjects they count
	 * @param request the request
	 * @param budget how long it may still wait
	 * @return the decision, and the result of enqueuing where that was tried
	 * @throws IOException if the client does not send its body
	 */
	EnqueueAttempt decide(EnqueueCandidate candidate, HttpServletRequest request, WaitBudget budget)
			throws IOException {
		List<RuleRequest> ruleRequests = candidate.ruleRequests();
		Backlog backlog = this.queue.behind(ruleRequests, budget);
		if (backlog instanceof Backlog.Others others) {
			RuleDecision decided = new RuleDecision(others.ruleRequest(),
					RequestQueue.behindOthers(others.ruleRequest()));
			return keep(only(decided), decided, candidate, request, budget, 0);
		}
		if (backlog instanceof Backlog.Unknown unknown) {
			RequestDecision verdict = only(unavailable(unknown.ruleRequest()));
			report(verdict, Outcome.REJECTED, 0);
			return new EnqueueAttempt(verdict, Optional.empty(), candidate.path());
		}
		long start = this.queue.nanoTime();
		RequestDecision verdict = this.limiter.decide(ruleRequests, budget, DecisionListener.none());
		long nanos = this.queue.nanoTime() - start;
		Optional<RuleDecision> full = full(verdict);
		if (full.isPresent()) {
			return keep(verdict, full.get(), candidate, request, budget, nanos);
		}
		report(verdict, Outcome.REJECTED, nanos);
		return new EnqueueAttempt(verdict, Optional.empty(), candidate.path());
	}

	private static RequestDecision only(RuleDecision refusal) {
		return new RequestDecision(List.of(refusal), List.of());
	}

	private static RuleDecision unavailable(RuleRequest ruleRequest) {
		return new RuleDecision(ruleRequest, new Unavailable(ruleRequest.rule().id(), LEAST_WAIT));
	}

	/** The rule that is exhausted, if all refusals have that reason. */
	private static Optional<RuleDecision> full(RequestDecision verdict) {
		List<RuleDecision> refusing = verdict.decided().stream().filter(RuleDecision::refuses).toList();
		boolean allFull = refusing.stream()
			.allMatch((one) -> one.decision() instanceof Rejected rejected && rejected.source() != Source.LOCAL
					&& rejected.retryAfter().isPresent());
		return allFull ? refusing.stream().findFirst() : Optional.empty();
	}

	private EnqueueAttempt keep(RequestDecision verdict, RuleDecision full, EnqueueCandidate candidate,
			HttpServletRequest request, WaitBudget budget, long nanos) throws IOException {
		Optional<String> plan = candidate.counts()
			.stream()
			.filter((one) -> one.ruleRequest().rule() == full.ruleRequest().rule())
			.findFirst()
			.flatMap(Application.Counts::plan);
		Enqueued kept = this.queue.keep(full.ruleRequest(), plan, candidate.path(), request, budget);
		if (kept.outcome() == Enqueued.EnqueueOutcome.KEPT) {
			report(verdict, Outcome.ENQUEUED, nanos);
			return new EnqueueAttempt(admitting(full), Optional.of(kept), candidate.path());
		}
		report(verdict, Outcome.REJECTED, nanos);
		boolean noReply = kept.outcome() == Enqueued.EnqueueOutcome.NO_REPLY
				&& full.ruleRequest().rule().config().onStoreFailure() == OnStoreFailure.DENY;
		RuleDecision refusal = noReply ? unavailable(full.ruleRequest()) : full;
		return new EnqueueAttempt(only(refusal), Optional.of(kept), candidate.path());
	}

	private void report(RequestDecision verdict, Outcome refused, long nanos) {
		for (RuleDecision one : verdict.decided()) {
			Outcome allowed = verdict.isAdmitted() ? Outcome.ALLOWED : Outcome.RELEASED;
			this.listener.decided(one, one.decision().isAllowed() ? allowed : refused, nanos);
		}
	}

	/** The client should not retry: the headers report the state of the limit. */
	private static RequestDecision admitting(RuleDecision full) {
		RateLimitDecision decision = full.decision();
		return new RequestDecision(List.of(new RuleDecision(full.ruleRequest(),
				new Allowed(decision.rule(), decision.source(), decision.quotas()))), List.of());
	}

	/**
	 * A request whose enqueuing the store did not confirm may be queued all the same, so
	 * its client may query the state.
	 */
	void tellWhere(EnqueueAttempt result, HttpServletRequest request, HttpServletResponse response) {
		if (result.is(Enqueued.EnqueueOutcome.NO_REPLY)) {
			Enqueued kept = result.kept().orElseThrow();
			this.queue.answers().locate(request, response, result.path(), kept.rule(), kept.id());
		}
	}

	/**
	 * Write the response to a request that is enqueued, or too large to be.
	 * @return {@code false} in either case
	 */
	boolean answer(EnqueueAttempt result, HttpServletRequest request, HttpServletResponse response) throws IOException {
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		if (result.isKept()) {
			Enqueued kept = result.kept().orElseThrow();
			this.queue.answers().accepted(request, response, result.path(), kept.rule(), kept.id());
		}
		else {
			this.queue.answers().tooLarge(request, response);
		}
		return false;
	}

	/**
	 * The result for a request.
	 *
	 * @param verdict the decision of the rules; for an enqueued request, as if they had
	 * admitted it
	 * @param kept the result of enqueuing, where that was tried
	 * @param path its path within the application
	 */
	record EnqueueAttempt(RequestDecision verdict, Optional<Enqueued> kept, String path) {

		boolean isKept() {
			return is(Enqueued.EnqueueOutcome.KEPT);
		}

		/** Whether the request may go on now. */
		boolean isAdmitted() {
			return this.verdict.isAdmitted() && !isKept();
		}

		boolean isRefused() {
			return !this.verdict.isAdmitted() && !is(Enqueued.EnqueueOutcome.TOO_LARGE);
		}

		private boolean is(Enqueued.EnqueueOutcome outcome) {
			return this.kept.filter((one) -> one.outcome() == outcome).isPresent();
		}

	}

}

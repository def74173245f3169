package dev.ratelimit.queue.web;

import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.queue.Backlog;
import dev.ratelimit.queue.EnqueueResult;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueuedRequest;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.queue.StoredRequest;
import dev.ratelimit.rule.HttpMethods;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.rule.OnStoreFailure;
import dev.ratelimit.support.WaitBudget;
import dev.ratelimit.web.EnqueueOutcome;
import dev.ratelimit.web.RequestAction.TryEnqueue;
import dev.ratelimit.web.RequestBacklog;
import dev.ratelimit.web.servlet.RequestEnqueuer;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Enqueues requests that exceed the limit of a rule with {@code on-limit: enqueue}. Costs
 * one call of the store to check whether others of the same key are queued already, and
 * one to enqueue a request. Both count towards the time that the request may wait for the
 * store.
 */
public final class RequestQueue implements RequestBacklog, RequestEnqueuer {

	private final ItemQueue queue;

	private final QueueAnswers answers;

	private final Supplier<String> ids;

	private final Runnable wake;

	private final LongSupplier nanoTime;

	private final SlowBodies bodies;

	private final Map<String, QueueBreaker> breakers = new ConcurrentHashMap<>();

	/**
	 * Create a queue.
	 * @param queue stores the requests
	 * @param answers writes the responses to enqueued requests
	 * @param ids creates ids that cannot be guessed
	 * @param wake is run when a request was enqueued
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public RequestQueue(ItemQueue queue, QueueAnswers answers, Supplier<String> ids, Runnable wake,
			LongSupplier nanoTime) {
		this.queue = queue;
		this.answers = answers;
		this.ids = ids;
		this.wake = wake;
		this.nanoTime = nanoTime;
		this.bodies = new SlowBodies(nanoTime);
	}

	@Override
	public boolean accepts(HttpServletRequest request) {
		return request.getDispatcherType() == DispatcherType.REQUEST && mayEnqueue(request.getMethod())
				&& this.answers.allows(request);
	}

	/**
	 * Whether a request with a method may be enqueued. The client of a safe method waits
	 * for the response, so handling it later is no use.
	 * @param method the method
	 * @return whether it is registered and not safe
	 */
	public static boolean mayEnqueue(String method) {
		return HttpMethods.isUnsafe(method);
	}

	@Override
	public Optional<RuleDecision> refusal(List<RuleRequest> ruleRequests, WaitBudget budget) {
		for (RuleRequest ruleRequest : ruleRequests) {
			if (!ruleRequest.mayEverBeAdmitted()) {
				continue; // it would wait in vain, and all others behind it
			}
			Backlog others = backlog(ruleRequest, budget);
			if (others == Backlog.SOME) {
				return Optional.of(behindOthers(ruleRequest));
			}
			if (others != Backlog.NONE
					&& isRefused(ruleRequest.rule().config().enforcement().onStoreFailure(), others)) {
				return Optional.of(RequestBacklog.unavailable(ruleRequest));
			}
		}
		return Optional.empty();
	}

	/** Where this application is overloaded, nothing is counted in memory. */
	private static boolean isRefused(OnStoreFailure policy, Backlog unknown) {
		return policy == OnStoreFailure.DENY || (policy == OnStoreFailure.LOCAL && unknown == Backlog.OVERLOADED);
	}

	private Backlog backlog(RuleRequest ruleRequest, WaitBudget budget) {
		long start = this.nanoTime.getAsLong();
		QueueBreaker breaker = this.breakers.computeIfAbsent(ruleRequest.rule().id(), (rule) -> new QueueBreaker());
		if (budget.left().isZero() || !breaker.tryAcquire(start)) {
			return Backlog.NO_REPLY;
		}
		Backlog others = this.queue.backlog(subject(ruleRequest), budget.left());
		long end = this.nanoTime.getAsLong();
		budget.spend(end - start, others != Backlog.NO_REPLY);
		if (others != Backlog.OVERLOADED) {
			breaker.record(others != Backlog.NO_REPLY, end);
		}
		return others;
	}

	/**
	 * The refusal of a request behind others, without a call of the store. No permits are
	 * left, and one window is the longest wait if no others were queued.
	 */
	private static RuleDecision behindOthers(RuleRequest ruleRequest) {
		CompiledLimited limited = (CompiledLimited) ruleRequest.allowance();
		List<Quota> quotas = new ArrayList<>(limited.thresholds().size());
		for (int i = 0; i < limited.thresholds().size(); i++) {
			Duration window = limited.thresholds().get(i).windowLength();
			quotas.add(new Quota(limited.policies().get(i), limited.limit().capacity(i), window, 0, window,
					Optional.of((i == 0) ? window : Duration.ZERO)));
		}
		return new RuleDecision(ruleRequest, new Rejected(ruleRequest.rule().id(), Source.STORE, quotas));
	}

	@Override
	public Enqueued enqueue(TryEnqueue attempt, HttpServletRequest request, WaitBudget budget) throws IOException {
		RuleRequest ruleRequest = attempt.counts().ruleRequest();
		OnLimit.Enqueue terms = (OnLimit.Enqueue) ruleRequest.rule().config().enforcement().onLimit();
		String id = this.ids.get();
		RequestBody.Result body = RequestBody.read(request, terms.maxBodyBytes(), this.bodies);
		if (body instanceof RequestBody.Read read) {
			QueuedRequest enqueued = new QueuedRequest(id, ruleRequest.rule().id(), request.getMethod(), attempt.path(),
					Optional.ofNullable(request.getQueryString()), principal(request),
					headers(request, terms.headers()), read.bytes(), 1, Instant.EPOCH);
			return new Enqueued(enqueue(ruleRequest, id,
					StoredRequest.of(enqueued, attempt.counts().plan(), ruleRequest.cost()), terms, budget),
					ruleRequest.rule().id(), id);
		}
		return new Enqueued(((RequestBody.NotRead) body).outcome(), ruleRequest.rule().id(), id);
	}

	private EnqueueOutcome enqueue(RuleRequest ruleRequest, String id, StoredRequest request, OnLimit.Enqueue terms,
			WaitBudget budget) {
		if (budget.left().isZero()) {
			return EnqueueOutcome.NO_REPLY;
		}
		long start = this.nanoTime.getAsLong();
		EnqueueResult enqueued = this.queue.enqueue(subject(ruleRequest), id, request.fields(),
				new ItemQueue.Room(terms.maxQueue(), terms.maxTotal(), terms.maxBytes()), budget.left());
		budget.spend(this.nanoTime.getAsLong() - start);
		if (enqueued == EnqueueResult.ENQUEUED) {
			this.wake.run();
		}
		return switch (enqueued) {
			case ENQUEUED -> EnqueueOutcome.ENQUEUED;
			case SUBJECT_FULL, RULE_FULL -> EnqueueOutcome.FULL;
			case NO_REPLY -> EnqueueOutcome.NO_REPLY;
		};
	}

	@Override
	public void respond(Enqueued enqueued, TryEnqueue attempt, HttpServletRequest request, HttpServletResponse response)
			throws IOException {
		switch (enqueued.outcome()) {
			case ENQUEUED -> this.answers.accepted(request, response, attempt.path(), enqueued.rule(), enqueued.id());
			case NO_REPLY -> this.answers.locate(request, response, attempt.path(), enqueued.rule(), enqueued.id());
			case TOO_LARGE -> this.answers.tooLarge(request, response);
			case FULL, BODY_IS_GONE -> {
			}
		}
	}

	private static QueuedSubject subject(RuleRequest ruleRequest) {
		return new QueuedSubject(ruleRequest.rule().id(), ruleRequest.subject().text());
	}

	private static Optional<String> principal(HttpServletRequest request) {
		return Optional.ofNullable(request.getUserPrincipal()).map(Principal::getName);
	}

	private static Map<String, List<String>> headers(HttpServletRequest request, List<String> names) {
		Map<String, List<String>> headers = new LinkedHashMap<>();
		for (String name : names) {
			List<String> values = Collections.list(request.getHeaders(name));
			if (!values.isEmpty()) {
				headers.put(name, values);
			}
		}
		return headers;
	}

}

package dev.ratelimit.queue.web;

import java.io.IOException;
import java.security.Principal;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.RuleApplication;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.EnqueueResult;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueuedRequest;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.queue.StoredRequest;
import dev.ratelimit.rule.Enforcement;
import dev.ratelimit.rule.HttpMethods;
import dev.ratelimit.support.Pending;
import dev.ratelimit.support.WaitBudget;
import dev.ratelimit.web.servlet.ServletModule;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Enqueues requests that exceed the limit of a rule with {@code on-limit: enqueue}. Costs
 * one call of the store to check whether others of the same key are queued already, and
 * one to enqueue a request. Both count towards the time that the request may wait for the
 * store.
 */
public final class RequestQueue implements ServletModule {

	private final ItemQueue queue;

	private final EnqueueDecider decider;

	private final QueueAnswers answers;

	private final Supplier<String> ids;

	private final Runnable wake;

	private final LongSupplier nanoTime;

	private final SlowBodies bodies;

	/**
	 * Create a queue.
	 * @param queue stores the requests
	 * @param limiter decides the rules that enqueue
	 * @param listener is notified of their decisions
	 * @param answers writes the responses to enqueued requests
	 * @param ids creates ids that cannot be guessed
	 * @param wake is run when a request was enqueued
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public RequestQueue(ItemQueue queue, RequestLimiter limiter, DecisionListener listener, QueueAnswers answers,
			Supplier<String> ids, Runnable wake, LongSupplier nanoTime) {
		this.queue = queue;
		this.decider = new EnqueueDecider(limiter, new RequestBacklog(queue, nanoTime), listener, nanoTime);
		this.answers = answers;
		this.ids = ids;
		this.wake = wake;
		this.nanoTime = nanoTime;
		this.bodies = new SlowBodies(nanoTime);
	}

	@Override
	public boolean accepts(HttpServletRequest request) {
		return request.getDispatcherType() == DispatcherType.REQUEST && mayEnqueue(request.getMethod());
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
	public boolean decides(RuleRequest ruleRequest) {
		Enforcement enforcement = ruleRequest.rule().config().enforcement();
		return enforcement.onLimit() instanceof Enqueue && !enforcement.shadow()
				&& ruleRequest.allowance() instanceof CompiledLimited;
	}

	/** The queue is read on this thread. */
	@Override
	public Pending<Decided> decide(List<RuleApplication.Counts> counts, String path, WaitBudget budget) {
		return this.decider.decide(counts, budget)
			.map((decision) -> new Decided(decision.decision(), decision.exhausted()
				.map((exhausted) -> new EnqueueAction(this, exhausted, path, decision, budget))));
	}

	/**
	 * A request whose enqueuing the store did not confirm may be queued all the same, so
	 * its client may query the state.
	 */
	void enqueue(EnqueueAction action, HttpServletRequest request, HttpServletResponse response, End end)
			throws IOException {
		String id = this.ids.get();
		EnqueueOutcome outcome;
		try {
			outcome = enqueue(action, id, request);
		}
		catch (IOException | RuntimeException ex) {
			end.leave(this.decider.conclude(action, EnqueueOutcome.BODY_IS_GONE));
			throw ex;
		}
		Decided decided = this.decider.conclude(action, outcome);
		String rule = action.counts().ruleRequest().rule().id();
		switch (outcome) {
			case ENQUEUED -> {
				if (end.answer(decided)) {
					this.answers.accepted(request, response, action.path(), rule, id);
				}
			}
			case TOO_LARGE -> {
				if (end.answer(decided)) {
					QueueAnswers.tooLarge(response);
				}
			}
			case NO_REPLY -> {
				this.answers.locate(request, response, action.path(), rule, id);
				end.refuse(decided);
			}
			case FULL, BODY_IS_GONE -> end.refuse(decided);
		}
	}

	private EnqueueOutcome enqueue(EnqueueAction action, String id, HttpServletRequest request) throws IOException {
		RuleRequest ruleRequest = action.counts().ruleRequest();
		Enqueue terms = (Enqueue) ruleRequest.rule().config().enforcement().onLimit();
		RequestBody.Result body = RequestBody.read(request, terms.maxBodyBytes(), this.bodies);
		if (body instanceof RequestBody.Read read) {
			QueuedRequest enqueued = new QueuedRequest(id, ruleRequest.rule().id(), request.getMethod(), action.path(),
					Optional.ofNullable(request.getQueryString()), principal(request),
					headers(request, terms.headers()), read.bytes(), 1, Instant.EPOCH);
			return enqueue(ruleRequest, id, StoredRequest.of(enqueued, action.counts().plan(), ruleRequest.cost()),
					terms, action.budget());
		}
		return ((RequestBody.NotRead) body).outcome();
	}

	private EnqueueOutcome enqueue(RuleRequest ruleRequest, String id, StoredRequest request, Enqueue terms,
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

	static QueuedSubject subject(RuleRequest ruleRequest) {
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

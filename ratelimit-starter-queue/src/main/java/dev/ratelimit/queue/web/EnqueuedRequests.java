package dev.ratelimit.queue.web;

import java.io.IOException;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.EnqueueResult;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueuedRequest;
import dev.ratelimit.queue.QueuedSubject;
import dev.ratelimit.queue.StoredRequest;
import dev.ratelimit.spi.LaterHandler;
import dev.ratelimit.spi.Standing;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.WaitBudget;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Enqueues requests that exceed the limit of a rule with {@code on-limit: enqueue}. Costs
 * one call of the store for each of its steps.
 */
public final class EnqueuedRequests implements LaterHandler {

	private final ItemQueue queue;

	private final QueueAnswers answers;

	private final Supplier<String> ids;

	private final Runnable wake;

	private final LongSupplier nanoTime;

	private final SlowBodies bodies;

	/**
	 * Create it.
	 * @param queue stores the requests
	 * @param answers builds the responses to enqueued requests
	 * @param ids creates ids that cannot be guessed
	 * @param wake is run when a request was enqueued
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public EnqueuedRequests(ItemQueue queue, QueueAnswers answers, Supplier<String> ids, Runnable wake,
			LongSupplier nanoTime) {
		this.queue = queue;
		this.answers = answers;
		this.ids = ids;
		this.wake = wake;
		this.nanoTime = nanoTime;
		this.bodies = new SlowBodies(nanoTime);
	}

	@Override
	public Standing standing(String rule, Subject subject, Duration maxWait) {
		return this.queue.backlog(new QueuedSubject(rule, subject.text()), maxWait);
	}

	@Override
	public Taking take(LaterRequest later, HttpServletRequest request, WaitBudget budget) throws IOException {
		Enqueue terms = (Enqueue) later.rule().enforcement().onLimit();
		RequestBody.Result body = RequestBody.read(request, terms.maxBodyBytes(), this.bodies);
		if (body instanceof RequestBody.Read read) {
			String id = this.ids.get();
			QueuedRequest enqueued = new QueuedRequest(id, later.rule().id(), request.getMethod(), later.path(),
					Optional.ofNullable(request.getQueryString()), principal(request),
					headers(request, terms.headers()), read.bytes(), 1, Instant.EPOCH);
			EnqueueResult result = enqueue(later, id, StoredRequest.of(enqueued, later.plan(), later.cost()), terms,
					budget);
			return switch (result) {
				case ENQUEUED -> new Taken(this.answers.location(request, later.path(), later.rule().id(), id),
						QueueAnswers.accepted(later.rule().id(), id));
				case SUBJECT_FULL, RULE_FULL -> new NotTaken();
				case NO_REPLY -> new Unconfirmed(this.answers.location(request, later.path(), later.rule().id(), id));
			};
		}
		return (body instanceof RequestBody.TooLarge) ? new Declined(QueueAnswers.tooLarge()) : new NotTaken();
	}

	private EnqueueResult enqueue(LaterRequest later, String id, StoredRequest request, Enqueue terms,
			WaitBudget budget) {
		if (budget.left().isZero()) {
			return EnqueueResult.NO_REPLY;
		}
		long start = this.nanoTime.getAsLong();
		EnqueueResult result = this.queue.enqueue(new QueuedSubject(later.rule().id(), later.subject().text()), id,
				request.fields(), new ItemQueue.Room(terms.maxQueue(), terms.maxTotal(), terms.maxBytes()),
				budget.left());
		budget.spend(this.nanoTime.getAsLong() - start);
		if (result == EnqueueResult.ENQUEUED) {
			this.wake.run();
		}
		return result;
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

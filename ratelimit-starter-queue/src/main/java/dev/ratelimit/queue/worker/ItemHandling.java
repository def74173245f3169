package dev.ratelimit.queue.worker;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

import dev.ratelimit.queue.Acknowledgement;
import dev.ratelimit.queue.DeadLetterTerms;
import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.LeasedItem;
import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueueListener.HandlingResult;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.queue.StoredRequest;
import dev.ratelimit.spi.RulePermits;
import dev.ratelimit.spi.RulePermits.Acquired;
import dev.ratelimit.spi.RulePermits.Granted;
import dev.ratelimit.spi.RulePermits.Never;
import dev.ratelimit.spi.RulePermits.NotYet;
import dev.ratelimit.store.Subject;
import dev.ratelimit.support.Listeners;
import dev.ratelimit.support.LogFields;
import dev.ratelimit.support.Waiter;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes a leased item: acquires its permits, handles it, retries it, or makes it a
 * dead letter.
 */
final class ItemHandling {

	static final Duration PATIENCE = Duration.ofSeconds(1);

	private static final Duration RETRY_DELAY = Duration.ofMillis(250);

	private static final int MOST_CAUSES = 100;

	private static final Logger logger = LoggerFactory.getLogger(ItemHandling.class);

	private final ItemQueue queue;

	private final QueuedRequestHandler handler;

	private final QueueRules rules;

	private final RulePermits permits;

	private final QueueSettings settings;

	private final Listeners<QueueListener> listeners;

	private final Waiter waiter;

	private final BooleanSupplier stopping;

	ItemHandling(ItemQueue queue, QueuedRequestHandler handler, QueueRules rules, RulePermits permits,
			QueueSettings settings, Listeners<QueueListener> listeners, Waiter waiter, BooleanSupplier stopping) {
		this.queue = queue;
		this.handler = handler;
		this.rules = rules;
		this.permits = permits;
		this.settings = settings;
		this.listeners = listeners;
		this.waiter = waiter;
		this.stopping = stopping;
	}

	/**
	 * Process an item.
	 * @param item the item
	 * @param isHeld whether its lease is certainly still valid
	 */
	void run(LeasedItem item, BooleanSupplier isHeld) {
		Optional<Enqueue> terms = this.rules.terms(item.subject().rule());
		if (terms.isEmpty()) {
			postpone(item, Duration.ZERO, false);
			return;
		}
		Duration left = terms.get().maxAge().minus(item.age());
		if (left.compareTo(Duration.ZERO) <= 0) {
			bury(item, "too old", terms.get());
		}
		else if (item.attempt() > this.settings.maxTries()) {
			// The worker that had it last died before it reported a result.
			bury(item, "too many attempts", terms.get());
		}
		else {
			run(item, terms.get(), left, isHeld);
		}
	}

	private void run(LeasedItem item, Enqueue terms, Duration left, BooleanSupplier isHeld) {
		StoredRequest request = new StoredRequest(item.fields());
		Acquired acquired = this.permits.acquire(item.subject().rule(), new Subject(item.subject().text()),
				request.plan(), request.cost());
		if (acquired instanceof NotYet wait) {
			postpone(item, (wait.time().compareTo(left) < 0) ? wait.time() : left, false);
		}
		else if (acquired instanceof Never never) {
			// Otherwise it would delay the others of its key until it is too old.
			bury(item, never.reason(), terms);
		}
		else if (this.stopping.getAsBoolean() || !isHeld.getAsBoolean()) {
			((Granted) acquired).release().run();
			postpone(item, Duration.ZERO, false);
		}
		else {
			this.listeners.report((listener) -> listener.handedOver(item.subject().rule(), item.age()));
			handle(item, terms);
		}
	}

	/** Whatever the handler throws, neither the item nor the thread may be lost. */
	private void handle(LeasedItem item, Enqueue terms) {
		try {
			this.handler.handle(StoredRequest.read(item));
		}
		catch (Exception | Error ex) {
			failed(item, terms, ex);
			return;
		}
		// A handler may leave this thread interrupted: then the store would not be
		// awaited.
		boolean interrupted = Thread.interrupted();
		if (until(() -> this.queue.done(item, this.settings.keepState(), PATIENCE))) {
			this.listeners.report((listener) -> listener.handled(item.subject().rule(), HandlingResult.DONE));
		}
		if (interrupted) {
			Thread.currentThread().interrupt();
		}
	}

	private void failed(LeasedItem item, Enqueue terms, Throwable failure) {
		boolean interrupted = Thread.interrupted() || isInterruption(failure);
		if (interrupted && this.stopping.getAsBoolean()) {
			postpone(item, Duration.ZERO, false);
			return;
		}
		boolean last = item.attempt() >= this.settings.maxTries();
		logger.atWarn()
			.addKeyValue(LogFields.RULE, item.subject().rule())
			.log("Attempt %d of %d to handle request %s of rule '%s' failed with %s%s".formatted(item.attempt(),
					this.settings.maxTries(), item.id(), item.subject().rule(), failure.getClass().getName(),
					last ? ": it is a dead letter now" : ", and is tried again"));
		// Its message may repeat text of a client.
		logger.debug("A handler of queued requests has failed", failure);
		if (last) {
			bury(item, "failed", terms);
		}
		else if (postpone(item, this.settings.backoffAfter(item.attempt()), true)) {
			this.listeners.report((listener) -> listener.handled(item.subject().rule(), HandlingResult.RETRIED));
		}
	}

	/** A handler may wrap it, and a chain of causes may be a circle. */
	private static boolean isInterruption(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.limit(MOST_CAUSES)
			.anyMatch(InterruptedException.class::isInstance);
	}

	private boolean postpone(LeasedItem item, Duration wait, boolean counts) {
		return until(() -> this.queue.postpone(item, wait, counts, PATIENCE));
	}

	private void bury(LeasedItem item, String reason, Enqueue terms) {
		DeadLetterTerms burial = new DeadLetterTerms(reason, terms.maxTotal(), terms.maxBytes(),
				this.settings.keepDead());
		if (until(() -> this.queue.bury(item, this.settings.keepState(), burial, PATIENCE))) {
			this.listeners.report((listener) -> listener.handled(item.subject().rule(), HandlingResult.DEAD));
		}
	}

	/**
	 * Repeat a step until the store has answered, or until there is no more time: then
	 * the item is leased again when the lease has expired.
	 */
	private boolean until(Supplier<Acknowledgement> step) {
		Acknowledgement acknowledged = step.get();
		try {
			while (acknowledged == Acknowledgement.NO_REPLY && !this.stopping.getAsBoolean()) {
				this.waiter.until(this.waiter.now() + RETRY_DELAY.toNanos());
				acknowledged = step.get();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return acknowledged == Acknowledgement.YES;
	}

}

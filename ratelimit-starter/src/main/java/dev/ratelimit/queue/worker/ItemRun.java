package dev.ratelimit.queue.worker;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import dev.ratelimit.limiter.Waiter;
import dev.ratelimit.queue.Acknowledged;
import dev.ratelimit.queue.Burial;
import dev.ratelimit.queue.HeldItem;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.KeptRequest;
import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueueListener.Outcome;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.queue.worker.Permits.Granted;
import dev.ratelimit.queue.worker.Permits.Never;
import dev.ratelimit.queue.worker.Permits.Permission;
import dev.ratelimit.queue.worker.Permits.Wait;
import dev.ratelimit.rule.OnLimit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Does what is to be done with an item that was handed out: waits for room, handles it,
 * tries it again, or gives it up.
 */
final class ItemRun {

	static final Duration PATIENCE = Duration.ofSeconds(1);

	private static final Duration UNHEARD = Duration.ofMillis(250);

	private static final Log logger = LogFactory.getLog(ItemRun.class);

	private final ItemQueue queue;

	private final QueuedRequestHandler handler;

	private final Permits permits;

	private final QueueSettings settings;

	private final QueueListener listener;

	private final Waiter waiter;

	private final BooleanSupplier stopping;

	ItemRun(ItemQueue queue, QueuedRequestHandler handler, Permits permits, QueueSettings settings,
			QueueListener listener, Waiter waiter, BooleanSupplier stopping) {
		this.queue = queue;
		this.handler = handler;
		this.permits = permits;
		this.settings = settings;
		this.listener = listener;
		this.waiter = waiter;
		this.stopping = stopping;
	}

	/**
	 * Go on with an item.
	 * @param item the item
	 * @param isHeld whether its lease surely lasts
	 */
	void run(HeldItem item, BooleanSupplier isHeld) {
		Optional<OnLimit.Enqueue> terms = this.permits.terms(item.of().rule());
		if (terms.isEmpty()) {
			postpone(item, Duration.ZERO, false);
			return;
		}
		Duration left = terms.get().maxAge().minus(item.age());
		if (left.compareTo(Duration.ZERO) <= 0) {
			bury(item, "too old", terms.get());
		}
		else if (item.attempt() > this.settings.maxTries()) {
			// Whoever had it last did not live to tell.
			bury(item, "too many attempts", terms.get());
		}
		else {
			run(item, terms.get(), left, isHeld);
		}
	}

	private void run(HeldItem item, OnLimit.Enqueue terms, Duration left, BooleanSupplier isHeld) {
		Permission permission = this.permits.acquire(item.of(), new KeptRequest(item.fields()));
		if (permission instanceof Wait wait) {
			postpone(item, (wait.time().compareTo(left) < 0) ? wait.time() : left, false);
		}
		else if (permission instanceof Never never) {
			// Else it would hold back the others of its key until it is too old.
			bury(item, never.reason(), terms);
		}
		else if (this.stopping.getAsBoolean() || !isHeld.getAsBoolean()) {
			this.permits.release((Granted) permission);
			postpone(item, Duration.ZERO, false);
		}
		else {
			this.listener.handedOver(item.of().rule(), item.age());
			handle(item, terms);
		}
	}

	/** Whatever the handler throws, the item must not be lost, nor the thread. */
	private void handle(HeldItem item, OnLimit.Enqueue terms) {
		try {
			this.handler.handle(KeptRequest.read(item));
		}
		catch (Exception | Error ex) {
			failed(item, terms, ex);
			return;
		}
		if (until(() -> this.queue.done(item, this.settings.keepState(), PATIENCE))) {
			this.listener.handled(item.of().rule(), Outcome.DONE);
		}
	}

	private void failed(HeldItem item, OnLimit.Enqueue terms, Throwable failure) {
		boolean interrupted = Thread.interrupted() || failure instanceof InterruptedException;
		if (interrupted && this.stopping.getAsBoolean()) {
			postpone(item, Duration.ZERO, false);
			return;
		}
		boolean last = item.attempt() >= this.settings.maxTries();
		logger.warn("Attempt %d of %d to handle request %s of rule '%s' failed%s".formatted(item.attempt(),
				this.settings.maxTries(), item.id(), item.of().rule(),
				last ? ": it is a dead letter now" : ", and is tried again"), failure);
		if (last) {
			bury(item, "failed", terms);
		}
		else if (postpone(item, this.settings.backoffAfter(item.attempt()), true)) {
			this.listener.handled(item.of().rule(), Outcome.RETRIED);
		}
	}

	private boolean postpone(HeldItem item, Duration wait, boolean counts) {
		return until(() -> this.queue.postpone(item, wait, counts, PATIENCE));
	}

	private void bury(HeldItem item, String reason, OnLimit.Enqueue terms) {
		Burial burial = new Burial(reason, terms.maxTotal(), terms.maxBytes(), this.settings.keepDead());
		if (until(() -> this.queue.bury(item, this.settings.keepState(), burial, PATIENCE))) {
			this.listener.handled(item.of().rule(), Outcome.DEAD);
		}
	}

	/**
	 * Tell the store until it has heard, or until there is no more time: then the item is
	 * handed out again when the lease is over.
	 */
	private boolean until(Supplier<Acknowledged> step) {
		Acknowledged acknowledged = step.get();
		try {
			while (acknowledged == Acknowledged.UNHEARD && !this.stopping.getAsBoolean()) {
				this.waiter.until(this.waiter.now() + UNHEARD.toNanos());
				acknowledged = step.get();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return acknowledged == Acknowledged.YES;
	}

}

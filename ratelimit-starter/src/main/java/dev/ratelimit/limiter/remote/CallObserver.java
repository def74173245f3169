package dev.ratelimit.limiter.remote;

import java.util.List;
import java.util.function.LongSupplier;

import dev.ratelimit.limiter.remote.StoreListener.CallResult;
import dev.ratelimit.limiter.remote.StoreTracer.Operation;
import dev.ratelimit.support.Listeners;
import dev.ratelimit.support.OncePerMinute;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports each call of the store to a listener and a tracer, and logs breaches of the
 * store's contract. Safe for concurrent use. Tested by {@code RemoteStoreListenerTests}.
 */
final class CallObserver {

	/** Part of that class, whose logger users know. */
	private static final Logger logger = LoggerFactory.getLogger(RemoteStore.class);

	private final StoreListener listener;

	private final StoreTracer tracer;

	private final Listeners<StoreTracer> tracers;

	private final LongSupplier nanoTime;

	private final OncePerMinute exceptions;

	CallObserver(StoreListener listener, StoreTracer tracer, LongSupplier nanoTime) {
		this.listener = listener;
		this.tracer = tracer;
		this.tracers = new Listeners<>("store tracer", List.of(tracer));
		this.nanoTime = nanoTime;
		this.exceptions = new OncePerMinute(nanoTime);
	}

	CallObserver untraced() {
		return new CallObserver(this.listener, StoreTracer.NONE, this.nanoTime);
	}

	long nowNanos() {
		return this.nanoTime.getAsLong();
	}

	/**
	 * Report that a call begins. A tracer that throws is no failure of the store, and
	 * must not keep a breaker open.
	 */
	StoreTracer.Call begin(Operation operation) {
		try {
			return this.tracer.begin(operation);
		}
		catch (Throwable ex) {
			this.tracers.failed(this.tracer, ex);
			return StoreTracer.Call.UNSEEN;
		}
	}

	/**
	 * Report that a call has ended.
	 * @param traced what {@code begin} returned
	 * @param outcome how it ended
	 * @param startNanos when it began
	 */
	void end(StoreTracer.Call traced, CallResult outcome, long startNanos) {
		long nanos = nowNanos() - startNanos;
		try {
			traced.end(outcome);
		}
		catch (Throwable ex) {
			this.tracers.failed(this.tracer, ex);
		}
		this.listener.called(outcome, nanos);
	}

	/** The message of an exception may name a client, so only its type is an error. */
	void logBreach(String what, @Nullable Throwable ex) {
		if (this.exceptions.tryAcquire()) {
			logger.error(("The store %s, which no store may do. Requests that it did not decide follow their "
					+ "on-store-failure, and permits that it did not release stay counted.")
				.formatted(what));
		}
		logger.debug("The store broke its contract", ex);
	}

}

package dev.ratelimit.limiter.remote;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * Detects outages of the store. An outage begins with the first request that the store
 * does not answer, and ends when it responds and no request has failed for ten seconds.
 * An answered request costs one volatile read. Log messages and events are left to
 * {@link #report()}, in the background. {@link StoreFailure#OVERLOADED} is not an outage
 * of the store: it is counted and logged as overload of the application. Safe for
 * concurrent use.
 */
public final class StoreWatch {

	private volatile @Nullable StoreOutage current;

	/** The outage that was logged and published; used by one thread. */
	private @Nullable StoreOutage reported;

	/**
	 * Requests that failed because the application was overloaded, since the last log
	 * message.
	 */
	private final LongAdder overloaded = new LongAdder();

	private final String store;

	private final StoreListener listener;

	private final Supplier<Optional<String>> lastFailure;

	private final Consumer<Object> publisher;

	private final LongSupplier nanoTime;

	private final StoreFailureLog log;

	/**
	 * Create a watch.
	 * @param store the name of the store
	 * @param lastFailure the store's own description of its last failure
	 * @param listener notified of every request that is not answered
	 * @param publisher receives a {@link RateLimitStoreDegradedEvent} when an outage
	 * begins and a {@link RateLimitStoreRecoveredEvent} when it ends
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public StoreWatch(String store, Supplier<Optional<String>> lastFailure, StoreListener listener,
			Consumer<Object> publisher, LongSupplier nanoTime) {
		this.store = store;
		this.listener = listener;
		this.lastFailure = lastFailure;
		this.publisher = publisher;
		this.nanoTime = nanoTime;
		this.log = new StoreFailureLog(store, lastFailure, nanoTime);
	}

	/**
	 * Report that a request was not answered.
	 * @param failure why
	 */
	public void unanswered(StoreFailure failure) {
		this.listener.unanswered(failure);
		if (failure == StoreFailure.OVERLOADED) {
			this.overloaded.increment();
			return;
		}
		long now = this.nanoTime.getAsLong();
		StoreOutage outage = this.current;
		((outage != null) ? outage : begin(failure, now)).failed(failure, now);
	}

	private synchronized StoreOutage begin(StoreFailure failure, long nowNanos) {
		StoreOutage outage = this.current;
		if (outage == null) {
			outage = new StoreOutage(failure, nowNanos);
			this.current = outage;
		}
		return outage;
	}

	/**
	 * Report that a request was answered, or a heartbeat in the background.
	 */
	public void answered() {
		StoreOutage outage = this.current;
		if (outage != null) {
			outage.answered(this.nanoTime.getAsLong());
		}
	}

	/**
	 * The failures of the current outage.
	 * @return the failures; empty if there is no outage
	 */
	public Optional<StoreFailures> failures() {
		return Optional.ofNullable(this.current).map((outage) -> outage.failures(this.nanoTime.getAsLong()));
	}

	/**
	 * What the store itself says of its last failure.
	 * @return for example {@code 10.0.0.1:6379: Connection refused}
	 */
	public Optional<String> lastFailure() {
		return this.lastFailure.get();
	}

	/** Log and publish what is new. To be called about once a second, by one thread. */
	public void report() {
		this.log.overloaded(this.overloaded);
		StoreOutage outage = this.current;
		if (outage == null) {
			return;
		}
		StoreFailures failures = outage.failures(this.nanoTime.getAsLong());
		if (outage != this.reported) {
			this.reported = outage;
			this.log.began(failures);
			this.publisher.accept(new RateLimitStoreDegradedEvent(this.store, failures.reason()));
		}
		this.log.lasts(failures);
		if (outage.isOver(this.nanoTime.getAsLong())) {
			this.current = null;
			this.log.over(failures);
			this.publisher
				.accept(new RateLimitStoreRecoveredEvent(this.store, failures.lasting(), failures.unanswered()));
		}
	}

}

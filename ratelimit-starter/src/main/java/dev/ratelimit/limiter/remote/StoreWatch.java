package dev.ratelimit.limiter.remote;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * Knows whether the store is in trouble. Trouble begins with the first question that it
 * does not answer, and is over when it answers and nothing has failed for ten seconds. An
 * answered request costs one volatile read; log and events are left to {@link #tell()},
 * in the background. {@link StoreFailure#OVERLOADED} is no trouble of the store: it is
 * counted and logged as the application's own. Safe for concurrent use.
 */
public final class StoreWatch {

	private volatile @Nullable StoreOutage current;

	/** What log and publisher know of; used by one thread. */
	private @Nullable StoreOutage told;

	/** What waited for the application itself, since the log last said so. */
	private final LongAdder overloaded = new LongAdder();

	private final String store;

	private final StoreListener listener;

	private final Consumer<Object> publisher;

	private final LongSupplier nanoTime;

	private final StoreFailureLog log;

	/**
	 * Watch a store.
	 * @param store its name
	 * @param lastFailure what the store itself says of its last failure, for the log
	 * @param listener hears of every question that is not answered
	 * @param publisher is given a {@link RateLimitStoreDegradedEvent} when trouble begins
	 * and a {@link RateLimitStoreRecoveredEvent} when it is over
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public StoreWatch(String store, Supplier<Optional<String>> lastFailure, StoreListener listener,
			Consumer<Object> publisher, LongSupplier nanoTime) {
		this.store = store;
		this.listener = listener;
		this.publisher = publisher;
		this.nanoTime = nanoTime;
		this.log = new StoreFailureLog(store, lastFailure, nanoTime);
	}

	/**
	 * A question was not answered.
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
	 * A question was answered, or a beat in the background.
	 */
	public void answered() {
		StoreOutage outage = this.current;
		if (outage != null) {
			outage.answered(this.nanoTime.getAsLong());
		}
	}

	/**
	 * What is wrong now.
	 * @return the trouble, if there is any
	 */
	public Optional<StoreFailures> failures() {
		return Optional.ofNullable(this.current).map((outage) -> outage.failures(this.nanoTime.getAsLong()));
	}

	/**
	 * Tell log and publisher what is new. To be called every second or so, by one thread.
	 */
	public void tell() {
		this.log.overloaded(this.overloaded);
		StoreOutage outage = this.current;
		if (outage == null) {
			return;
		}
		StoreFailures failures = outage.failures(this.nanoTime.getAsLong());
		if (outage != this.told) {
			this.told = outage;
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

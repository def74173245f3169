package dev.ratelimit.limiter.health;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
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

	/** One dead node among healthy ones produces failures and replies in turn. */
	private static final long OVER_NANOS = Duration.ofSeconds(10).toNanos();

	private final AtomicReference<@Nullable StoreOutage> current = new AtomicReference<>();

	/** During an outage, when a request was last answered. */
	private volatile long answeredNanos;

	/** Whether the outage was logged and published; used by one thread. */
	private boolean reported;

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
		this.answeredNanos = nanoTime.getAsLong();
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
		this.current.updateAndGet(
				(outage) -> ((outage != null) ? outage : StoreOutage.begin(failure, now)).failed(failure, now));
	}

	/**
	 * Report that a request was answered, or a heartbeat in the background.
	 */
	public void answered() {
		if (this.current.get() != null) {
			this.answeredNanos = this.nanoTime.getAsLong();
		}
	}

	/**
	 * The current outage.
	 * @return the outage; empty if there is none
	 */
	public Optional<StoreOutage> outage() {
		return Optional.ofNullable(this.current.get()).map((outage) -> outage.asOf(this.nanoTime.getAsLong()));
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
		StoreOutage current = this.current.get();
		if (current == null) {
			return;
		}
		long now = this.nanoTime.getAsLong();
		StoreOutage outage = current.asOf(now);
		if (!this.reported) {
			this.reported = true;
			this.log.began(outage);
			this.publisher.accept(new RateLimitStoreDegradedEvent(this.store, outage.reason()));
		}
		this.log.lasts(outage);
		boolean answered = this.answeredNanos - outage.failedNanos() > 0;
		// A request that fails meanwhile belongs to the same outage.
		if (answered && now - outage.failedNanos() >= OVER_NANOS && this.current.compareAndSet(current, null)) {
			this.reported = false;
			this.log.over(outage);
			this.publisher.accept(new RateLimitStoreRecoveredEvent(this.store, outage.lasting(), outage.unanswered()));
		}
	}

}

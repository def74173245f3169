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

	private volatile @Nullable Episode current;

	/** What log and publisher know of; used by one thread. */
	private @Nullable Episode told;

	/** What waited for the application itself, since the log last said so. */
	private final LongAdder overloaded = new LongAdder();

	private final String store;

	private final StoreListener listener;

	private final Consumer<Object> publisher;

	private final LongSupplier nanoTime;

	private final TroubleLog log;

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
		this.log = new TroubleLog(store, lastFailure, nanoTime);
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
		Episode episode = this.current;
		((episode != null) ? episode : begin(failure, now)).failed(failure, now);
	}

	private synchronized Episode begin(StoreFailure failure, long nowNanos) {
		Episode episode = this.current;
		if (episode == null) {
			episode = new Episode(failure, nowNanos);
			this.current = episode;
		}
		return episode;
	}

	/**
	 * A question was answered, or a beat in the background.
	 */
	public void answered() {
		Episode episode = this.current;
		if (episode != null) {
			episode.answered(this.nanoTime.getAsLong());
		}
	}

	/**
	 * What is wrong now.
	 * @return the trouble, if there is any
	 */
	public Optional<Trouble> trouble() {
		return Optional.ofNullable(this.current).map((episode) -> episode.trouble(this.nanoTime.getAsLong()));
	}

	/**
	 * Tell log and publisher what is new. To be called every second or so, by one thread.
	 */
	public void tell() {
		this.log.overloaded(this.overloaded);
		Episode episode = this.current;
		if (episode == null) {
			return;
		}
		Trouble trouble = episode.trouble(this.nanoTime.getAsLong());
		if (episode != this.told) {
			this.told = episode;
			this.log.began(trouble);
			this.publisher.accept(new RateLimitStoreDegradedEvent(this.store, trouble.reason()));
		}
		this.log.lasts(trouble);
		if (episode.isOver(this.nanoTime.getAsLong())) {
			this.current = null;
			this.log.over(trouble);
			this.publisher
				.accept(new RateLimitStoreRecoveredEvent(this.store, trouble.lasting(), trouble.unanswered()));
		}
	}

}

package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import dev.ratelimit.store.StoreFailure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells the log that the store fails: a WARN when it begins, at most one a minute while
 * it lasts, and one INFO when it is over, which is when nothing has failed for ten
 * seconds: one dead node among healthy ones fails and answers in turns. An answered
 * request costs one volatile read.
 */
public final class StoreFailureLog {

	private static final Log logger = LogFactory.getLog(StoreFailureLog.class);

	private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

	private static final long OVER_NANOS = Duration.ofSeconds(10).toNanos();

	private final AtomicLong unanswered = new AtomicLong();

	private final AtomicBoolean warned = new AtomicBoolean();

	private final AtomicLong quietUntilNanos;

	private final AtomicLong lastFailureNanos;

	private final String store;

	private final LongSupplier nanoTime;

	/**
	 * Create a log.
	 * @param store the name of the store
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public StoreFailureLog(String store, LongSupplier nanoTime) {
		this.store = store;
		this.nanoTime = nanoTime;
		this.quietUntilNanos = new AtomicLong(nanoTime.getAsLong());
		this.lastFailureNanos = new AtomicLong(nanoTime.getAsLong());
	}

	void failed(StoreFailure failure) {
		long count = this.unanswered.incrementAndGet();
		long now = this.nanoTime.getAsLong();
		this.lastFailureNanos.set(now);
		long quietUntil = this.quietUntilNanos.get();
		if (now - quietUntil >= 0 && this.quietUntilNanos.compareAndSet(quietUntil, now + QUIET_NANOS)) {
			this.warned.set(true);
			logger.warn(("%s does not answer (%s, %d questions unanswered). Until it does, each rule follows its "
					+ "on-store-failure; local means the whole threshold for this instance alone.")
				.formatted(this.store, failure, count));
		}
	}

	void answered() {
		if (this.warned.get() && this.nanoTime.getAsLong() - this.lastFailureNanos.get() >= OVER_NANOS
				&& this.warned.compareAndSet(true, false)) {
			logger.info("%s answers again; %d questions went unanswered.".formatted(this.store,
					this.unanswered.getAndSet(0)));
		}
	}

}

package dev.ratelimit.limiter.remote;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.ratelimit.store.StoreFailure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells the log of trouble with the store: one WARN when it begins, at most one a minute
 * where it comes and goes, and one INFO when it is over; but while the store refuses the
 * limiter's credentials or rights, which an operator has to mend, an ERROR a minute. What
 * the application itself was too busy for is a WARN a minute at most. Used by one thread.
 */
final class StoreFailureLog {

	private static final Log logger = LogFactory.getLog(StoreWatch.class);

	private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

	private final String store;

	private final Supplier<Optional<String>> lastFailure;

	private final LongSupplier nanoTime;

	private final AtomicLong warnNanos;

	private final AtomicLong errorNanos;

	private final AtomicLong overloadNanos;

	private final AtomicBoolean told = new AtomicBoolean();

	StoreFailureLog(String store, Supplier<Optional<String>> lastFailure, LongSupplier nanoTime) {
		this.store = store;
		this.lastFailure = lastFailure;
		this.nanoTime = nanoTime;
		this.warnNanos = new AtomicLong(nanoTime.getAsLong() - QUIET_NANOS);
		this.errorNanos = new AtomicLong(nanoTime.getAsLong() - QUIET_NANOS);
		this.overloadNanos = new AtomicLong(nanoTime.getAsLong() - QUIET_NANOS);
	}

	void began(StoreFailures failures) {
		this.told.set(false);
		if (!failures.notPermitted() && isDue(this.warnNanos)) {
			this.told.set(true);
			logger.warn("%s does not answer (%s). Until it does, each rule follows its on-store-failure."
				.formatted(this.store, reason(failures)));
		}
	}

	void lasts(StoreFailures failures) {
		if (failures.notPermitted() && isDue(this.errorNanos)) {
			this.told.set(true);
			logger.error(("%s refuses the limiter (%s); %d questions have gone unanswered. Until somebody mends its "
					+ "credentials or rights, each rule follows its on-store-failure.")
				.formatted(this.store, notPermitted(failures), failures.unanswered()));
		}
	}

	/** Requests that waited too long for connections, threads or processor of our own. */
	void overloaded(LongAdder count) {
		if (count.sum() > 0 && isDue(this.overloadNanos)) {
			logger.warn(("%d questions were not asked or read in time, because this application is overloaded: they "
					+ "waited for its connections, threads or processor while %s answered others. Their rules refused "
					+ "them with 503, or admitted them where on-store-failure is allow.")
				.formatted(count.sumThenReset(), this.store));
		}
	}

	void over(StoreFailures failures) {
		if (this.told.get()) {
			logger.info("%s answers again; %d questions went unanswered.".formatted(this.store, failures.unanswered()));
		}
	}

	private boolean isDue(AtomicLong lastNanos) {
		long now = this.nanoTime.getAsLong();
		boolean due = now - lastNanos.get() >= QUIET_NANOS;
		if (due) {
			lastNanos.set(now);
		}
		return due;
	}

	/** Another node may have failed in another way since. */
	private String notPermitted(StoreFailures failures) {
		return (failures.reason() == StoreFailure.NOT_PERMITTED) ? reason(failures) : StoreFailure.NOT_PERMITTED.name();
	}

	private String reason(StoreFailures failures) {
		return this.lastFailure.get()
			.map((failure) -> failures.reason() + ": " + failure)
			.orElse(failures.reason().name());
	}

}

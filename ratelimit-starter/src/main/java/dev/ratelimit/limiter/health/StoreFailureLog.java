package dev.ratelimit.limiter.health;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.support.LogFields;
import dev.ratelimit.support.OncePerMinute;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs outages of the store: one WARN at the start, at most one per minute if outages
 * come and go, and one INFO at the end. While the store refuses the limiter's credentials
 * or rights, which an operator has to fix, it is one ERROR per minute instead. Overload
 * of the application itself is at most one WARN per minute. Used by one thread. Tested by
 * {@code StoreWatchTests}.
 */
final class StoreFailureLog {

	private static final Logger logger = LoggerFactory.getLogger(StoreWatch.class);

	private final String store;

	private final Supplier<Optional<String>> lastFailure;

	private final OncePerMinute warnings;

	private final OncePerMinute errors;

	private final OncePerMinute overloads;

	private final AtomicBoolean reported = new AtomicBoolean();

	StoreFailureLog(String store, Supplier<Optional<String>> lastFailure, LongSupplier nanoTime) {
		this.store = store;
		this.lastFailure = lastFailure;
		this.warnings = new OncePerMinute(nanoTime);
		this.errors = new OncePerMinute(nanoTime);
		this.overloads = new OncePerMinute(nanoTime);
	}

	void began(StoreOutage outage) {
		this.reported.set(false);
		if (!outage.notPermitted() && this.warnings.tryAcquire()) {
			this.reported.set(true);
			logger.atWarn()
				.addKeyValue(LogFields.STORE, this.store)
				.addKeyValue(LogFields.REASON, LogFields.text(outage.reason()))
				.log("%s does not answer (%s). Until it does, each rule follows its on-store-failure."
					.formatted(this.store, reason(outage)));
		}
	}

	void lasts(StoreOutage outage) {
		if (outage.notPermitted() && this.errors.tryAcquire()) {
			this.reported.set(true);
			logger.atError()
				.addKeyValue(LogFields.STORE, this.store)
				.addKeyValue(LogFields.REASON, LogFields.text(StoreFailure.NOT_PERMITTED))
				.addKeyValue(LogFields.REQUESTS, outage.unanswered())
				.log(("%s refuses the limiter (%s); %d requests have gone unanswered. Until an operator mends its "
						+ "credentials, rights or settings, each rule follows its on-store-failure.")
					.formatted(this.store, notPermitted(outage), outage.unanswered()));
		}
	}

	/**
	 * Log requests that waited too long for this application's own connections, threads
	 * or processor, or were interrupted.
	 */
	void overloaded(LongAdder count) {
		if (count.sum() > 0 && this.overloads.tryAcquire()) {
			long requests = count.sumThenReset();
			logger.atWarn()
				.addKeyValue(LogFields.STORE, this.store)
				.addKeyValue(LogFields.REASON, LogFields.text(StoreFailure.OVERLOADED))
				.addKeyValue(LogFields.REQUESTS, requests)
				.log(("%d requests were not sent or read in time, because this application is overloaded: they "
						+ "waited for its connections, threads or processor, or were interrupted, while %s answered "
						+ "others. Their rules refused them with 503, or admitted them where on-store-failure is allow.")
					.formatted(requests, this.store));
		}
	}

	void over(StoreOutage outage) {
		if (this.reported.get()) {
			logger.atInfo()
				.addKeyValue(LogFields.STORE, this.store)
				.addKeyValue(LogFields.REQUESTS, outage.unanswered())
				.log("%s answers again; %d requests went unanswered.".formatted(this.store, outage.unanswered()));
		}
	}

	/** Another node may have failed for another reason since. */
	private String notPermitted(StoreOutage outage) {
		return (outage.reason() == StoreFailure.NOT_PERMITTED) ? reason(outage) : StoreFailure.NOT_PERMITTED.name();
	}

	private String reason(StoreOutage outage) {
		return this.lastFailure.get().map((failure) -> outage.reason() + ": " + failure).orElse(outage.reason().name());
	}

}

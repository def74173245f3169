package dev.ratelimit.web.key;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A warning about requests that is logged at most once a minute: requests arrive by the
 * thousand, and their senders must not fill the log. Costs one read of a clock.
 */
public final class QuietWarning {

	private static final Log logger = LogFactory.getLog(QuietWarning.class);

	private static final long QUIET_NANOS = Duration.ofMinutes(1).toNanos();

	private final String message;

	private final LongSupplier nanoTime;

	private final AtomicLong quietUntilNanos;

	/**
	 * Create a warning.
	 * @param message the text, which contains nothing of a client
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public QuietWarning(String message, LongSupplier nanoTime) {
		this.message = message;
		this.nanoTime = nanoTime;
		this.quietUntilNanos = new AtomicLong(nanoTime.getAsLong());
	}

	/** Log it, unless it was logged within the last minute. */
	public void warn() {
		long now = this.nanoTime.getAsLong();
		long quietUntil = this.quietUntilNanos.get();
		if (now - quietUntil >= 0 && this.quietUntilNanos.compareAndSet(quietUntil, now + QUIET_NANOS)) {
			logger.warn(this.message);
		}
	}

}

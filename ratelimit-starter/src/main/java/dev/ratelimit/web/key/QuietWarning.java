package dev.ratelimit.web.key;

import java.util.function.LongSupplier;

import dev.ratelimit.support.OncePerMinute;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A warning about requests that is logged at most once a minute: requests arrive by the
 * thousand, and their senders must not fill the log. Costs one read of a clock.
 */
public final class QuietWarning {

	private static final Log logger = LogFactory.getLog(QuietWarning.class);

	private final String message;

	private final OncePerMinute quiet;

	/**
	 * Create a warning.
	 * @param message the text, which contains nothing of a client
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public QuietWarning(String message, LongSupplier nanoTime) {
		this.message = message;
		this.quiet = new OncePerMinute(nanoTime);
	}

	/** Log it, unless it was logged within the last minute. */
	public void warn() {
		if (this.quiet.tryAcquire()) {
			logger.warn(this.message);
		}
	}

}

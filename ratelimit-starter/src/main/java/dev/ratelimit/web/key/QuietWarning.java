package dev.ratelimit.web.key;

import java.util.function.LongSupplier;

import dev.ratelimit.support.LogFields;
import dev.ratelimit.support.OncePerMinute;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A warning about requests that is logged at most once a minute: requests arrive by the
 * thousand, and their senders must not fill the log. Costs one read of a clock. Tested by
 * {@code CompiledCostTests}.
 */
public final class QuietWarning {

	private static final Logger logger = LoggerFactory.getLogger(QuietWarning.class);

	private final String rule;

	private final String message;

	private final OncePerMinute quiet;

	/**
	 * Create a warning.
	 * @param rule the id of the rule that it is about
	 * @param message the text, which contains nothing of a client
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public QuietWarning(String rule, String message, LongSupplier nanoTime) {
		this.rule = rule;
		this.message = message;
		this.quiet = new OncePerMinute(nanoTime);
	}

	/** Log it, unless it was logged within the last minute. */
	public void warn() {
		if (this.quiet.tryAcquire()) {
			logger.atWarn().addKeyValue(LogFields.RULE, this.rule).log(this.message);
		}
	}

}

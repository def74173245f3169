package dev.ratelimit.store.redis.resp;

import java.util.Optional;

import dev.ratelimit.store.StoreFailure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Stores the last Redis failure for reports to the operator, and logs each failure at
 * DEBUG. Never names a subject.
 */
final class FailureLog {

	/** The store's own category: the log shows the store as one component. */
	static final String CATEGORY = "dev.ratelimit.store.redis.RedisStore";

	private static final Log logger = LogFactory.getLog(CATEGORY);

	private volatile Optional<LoggedFailure> last = Optional.empty();

	void report(StoreFailure failure, Object place, Throwable cause) {
		this.last = Optional.of(new LoggedFailure(place, cause));
		if (logger.isDebugEnabled()) {
			logger.debug("Redis at " + place + " failed (" + failure + ")", cause);
		}
	}

	/**
	 * The last failure.
	 * @return for example {@code 10.0.0.1:6379: Connection refused}
	 */
	Optional<String> last() {
		return this.last.map((failed) -> failed.place() + ": " + reason(failed.cause()));
	}

	private static String reason(Throwable cause) {
		Throwable root = cause;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return String.valueOf((root.getMessage() != null) ? root.getMessage() : root);
	}

	/**
	 * A failure as it occurred. It is formatted only when it is requested.
	 *
	 * @param place where it happened
	 * @param cause what happened
	 */
	private record LoggedFailure(Object place, Throwable cause) {
	}

}

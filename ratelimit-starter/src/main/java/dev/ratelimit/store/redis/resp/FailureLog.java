package dev.ratelimit.store.redis.resp;

import java.util.Optional;

import dev.ratelimit.store.StoreFailure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Remembers why Redis did not answer, for whoever tells the operator, and logs each
 * failure at DEBUG. Never names a subject.
 */
final class FailureLog {

	/** The store's own: for readers of the log it is one thing. */
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
	 * Kept as it is, and put into words when somebody asks.
	 *
	 * @param place where it happened
	 * @param cause what happened
	 */
	private record LoggedFailure(Object place, Throwable cause) {
	}

}

package dev.ratelimit.store.wire;

import java.util.Optional;

import dev.ratelimit.store.StoreFailure;
import org.apache.commons.logging.Log;

/**
 * Stores the last failure for reports to the operator, and logs each failure at DEBUG.
 * Never names a subject. Tested by {@code RoutedCallRunnerTests}.
 */
final class FailureLog {

	private final Log logger;

	FailureLog(Log logger) {
		this.logger = logger;
	}

	private volatile Optional<LoggedFailure> last = Optional.empty();

	void report(StoreFailure failure, Object node, Throwable cause) {
		this.last = Optional.of(new LoggedFailure(node, cause));
		if (this.logger.isDebugEnabled()) {
			this.logger.debug(node + " failed (" + failure + ")", cause);
		}
	}

	/**
	 * The last failure.
	 * @return for example {@code 10.0.0.1:6379: Connection refused}
	 */
	Optional<String> last() {
		return this.last.map((failed) -> failed.node() + ": " + reason(failed.cause()));
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
	 * @param node where it happened
	 * @param cause what happened
	 */
	private record LoggedFailure(Object node, Throwable cause) {
	}

}

package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.store.StoreFailure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Tells the operator why Redis does not answer: each kind of failure as a warning at most
 * once a minute, the others at debug level. Never names a subject.
 */
final class FailureLog {

	private static final Duration SILENCE = Duration.ofMinutes(1);

	private static final Log logger = LogFactory.getLog(RedisStore.class);

	private final Map<StoreFailure, Deadline> silences = new ConcurrentHashMap<>();

	void report(StoreFailure failure, Object place, Throwable cause) {
		Deadline silence = this.silences.get(failure);
		boolean loud = (silence == null) ? this.silences.putIfAbsent(failure, Deadline.in(SILENCE)) == null
				: silence.isOver() && this.silences.replace(failure, silence, Deadline.in(SILENCE));
		if (loud) {
			logger.warn("Redis at " + place + " failed (" + failure + "): " + reason(cause)
					+ " (more of this kind is logged at debug level for a minute)");
		}
		else if (logger.isDebugEnabled()) {
			logger.debug("Redis at " + place + " failed (" + failure + ")", cause);
		}
	}

	private static String reason(Throwable cause) {
		Throwable root = cause;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return String.valueOf((root.getMessage() != null) ? root.getMessage() : root);
	}

}

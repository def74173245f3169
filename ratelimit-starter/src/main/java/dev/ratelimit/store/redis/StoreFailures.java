package dev.ratelimit.store.redis;

import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;

/**
 * Says what a failure means, by the first word of Redis' reply and by the chain of
 * causes, never by the driver's own class alone.
 */
final class StoreFailures {

	private static final Set<String> NOT_PERMITTED = Set.of("NOAUTH", "WRONGPASS", "NOPERM");

	private static final Set<String> UNAVAILABLE = Set.of("OOM", "LOADING", "READONLY", "CLUSTERDOWN", "MASTERDOWN",
			"MISCONF", "NOREPLICAS", "BUSY", "UNKILLABLE", "TRYAGAIN", "MOVED", "ASK");

	/** Redis 6.2 wraps what a command inside a script answered. */
	private static final Pattern WRAPPED_ERROR = Pattern.compile("^ERR Error running script.*?[ :]-([A-Z]+) ");

	private static final Pattern REFUSED_BY_ACL = Pattern
		.compile("can't run this command|ACL failure in script|No permissions to|can't access ");

	private StoreFailures() {
	}

	/**
	 * Whether a script may have written before it failed.
	 * @param reply what Redis replied
	 * @return whether that can be
	 */
	static boolean mayHaveRun(JedisDataException reply) {
		StoreFailure failure = classify(reply);
		return !(reply instanceof JedisNoScriptException)
				&& (failure == StoreFailure.NOT_PERMITTED || failure == StoreFailure.ERROR);
	}

	static StoreFailure classify(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			StoreFailure kind = kindOf(cause);
			if (kind != null) {
				return kind;
			}
		}
		return (failure instanceof JedisConnectionException) ? StoreFailure.UNREACHABLE : StoreFailure.ERROR;
	}

	private static @Nullable StoreFailure kindOf(Throwable cause) {
		if (cause instanceof JedisDataException) {
			return ofReply(String.valueOf(cause.getMessage()));
		}
		boolean late = cause instanceof SocketTimeoutException || cause instanceof InterruptedException;
		return late ? StoreFailure.TIMEOUT : null;
	}

	/**
	 * Classify an error that Redis replied with.
	 * @param message the reply
	 * @return what it means
	 */
	static StoreFailure ofReply(String message) {
		Matcher wrapped = WRAPPED_ERROR.matcher(message);
		String word = wrapped.find() ? wrapped.group(1) : message.split(" ", 2)[0];
		if (NOT_PERMITTED.contains(word) || REFUSED_BY_ACL.matcher(message).find()) {
			return StoreFailure.NOT_PERMITTED;
		}
		return UNAVAILABLE.contains(word) ? StoreFailure.UNAVAILABLE : StoreFailure.ERROR;
	}

}

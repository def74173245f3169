package dev.ratelimit.store.redis.resp;

import java.net.SocketTimeoutException;
import java.security.cert.CertificateException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.store.StoreFailure;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Classifies failures by the first word of Redis' reply and by the chain of causes, never
 * by the driver's own class alone. The table is in docs/redis.md.
 */
final class FailureClassifier {

	/** Redis 6.2 wraps the error reply of a command inside a script. */
	private static final Pattern WRAPPED_ERROR = Pattern.compile("^ERR Error running script.*?[ :]-([A-Z]+) ");

	private static final Pattern REFUSED_BY_ACL = Pattern
		.compile("can't run this command|ACL failure in script|No permissions to|can't access ");

	private FailureClassifier() {
	}

	/**
	 * Whether a script may have written before it failed.
	 * @param reply the error that Redis replied
	 * @return whether it may have written
	 */
	static boolean mayHaveRun(JedisDataException reply) {
		if (reply instanceof JedisNoScriptException || reply instanceof JedisRedirectionException) {
			return false;
		}
		StoreFailure failure = classify(reply);
		return failure == StoreFailure.NOT_PERMITTED || failure == StoreFailure.ERROR;
	}

	static StoreFailure classify(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			Optional<StoreFailure> kind = kindOf(cause);
			if (kind.isPresent()) {
				return kind.get();
			}
		}
		return (failure instanceof JedisConnectionException) ? StoreFailure.UNREACHABLE : StoreFailure.ERROR;
	}

	private static Optional<StoreFailure> kindOf(Throwable cause) {
		if (cause instanceof JedisDataException) {
			return Optional.of(ofReply(String.valueOf(cause.getMessage())));
		}
		if (cause instanceof SocketTimeoutException || cause instanceof InterruptedException) {
			return Optional.of(StoreFailure.TIMEOUT);
		}
		// A server without a valid certificate may not be Redis at all.
		return (cause instanceof CertificateException) ? Optional.of(StoreFailure.NOT_PERMITTED) : Optional.empty();
	}

	/**
	 * Classify an error reply of Redis.
	 * @param message the reply
	 * @return the failure it means
	 */
	static StoreFailure ofReply(String message) {
		if (REFUSED_BY_ACL.matcher(message).find()) {
			return StoreFailure.NOT_PERMITTED;
		}
		return word(message).map(ErrorPrefix::failure).orElse(StoreFailure.ERROR);
	}

	/**
	 * Whether a connection cannot be used any more after this reply.
	 * @param reply the reply, which may be an error
	 * @return whether to close the connection
	 */
	static boolean endsConnection(Object reply) {
		return reply instanceof JedisDataException error
				&& word(String.valueOf(error.getMessage())).map(ErrorPrefix::endsConnection).orElse(false);
	}

	private static Optional<ErrorPrefix> word(String message) {
		Matcher wrapped = WRAPPED_ERROR.matcher(message);
		return ErrorPrefix.of(wrapped.find() ? wrapped.group(1) : message.split(" ", 2)[0]);
	}

}

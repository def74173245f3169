package dev.ratelimit.store.redis.resp;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.ErrorReply;
import dev.ratelimit.store.wire.IoFailure;
import dev.ratelimit.store.wire.NoConnectionException;
import redis.clients.jedis.exceptions.JedisConnectionException;
import redis.clients.jedis.exceptions.JedisDataException;
import redis.clients.jedis.exceptions.JedisNoScriptException;
import redis.clients.jedis.exceptions.JedisRedirectionException;

/**
 * Classifies errors by the first word of Redis' reply and by the chain of causes, never
 * by the driver's own class alone. The table is in docs/redis.md.
 */
final class RespErrors {

	/** Redis 6.2 wraps the error reply of a command inside a script. */
	private static final Pattern WRAPPED_ERROR = Pattern.compile("^ERR Error running script.*?[ :]-([A-Z]+) ");

	private static final Pattern REFUSED_BY_ACL = Pattern
		.compile("can't run this command|ACL failure in script|No permissions to|can't access ");

	private RespErrors() {
	}

	/**
	 * Classify an error reply of Redis.
	 * @param error the reply
	 * @return what it means
	 */
	static ErrorReply reply(JedisDataException error) {
		String message = String.valueOf(error.getMessage());
		Optional<ErrorPrefix> word = word(message);
		StoreFailure failure = REFUSED_BY_ACL.matcher(message).find() ? StoreFailure.NOT_PERMITTED
				: word.map(ErrorPrefix::failure).orElse(StoreFailure.ERROR);
		return new ErrorReply(failure, mayHaveRun(error, failure), message.startsWith("CROSSSLOT"),
				word.map(ErrorPrefix::endsConnection).orElse(false), error);
	}

	/** A script may have written before one of its commands failed. */
	private static boolean mayHaveRun(JedisDataException error, StoreFailure failure) {
		return !(error instanceof JedisNoScriptException) && !(error instanceof JedisRedirectionException)
				&& (failure == StoreFailure.NOT_PERMITTED || failure == StoreFailure.ERROR);
	}

	private static Optional<ErrorPrefix> word(String message) {
		Matcher wrapped = WRAPPED_ERROR.matcher(message);
		return ErrorPrefix.of(wrapped.find() ? wrapped.group(1) : message.split(" ", 2)[0]);
	}

	/**
	 * Classify a failure to connect, or to find nodes.
	 * @param failure what failed
	 * @return the failure with its meaning
	 */
	static NoConnectionException noConnection(Throwable failure) {
		return new NoConnectionException(classify(failure), String.valueOf(failure.getMessage()), failure);
	}

	private static StoreFailure classify(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof JedisDataException error) {
				return reply(error).failure();
			}
		}
		StoreFailure kind = IoFailure.of(failure);
		return (kind == StoreFailure.ERROR && failure instanceof JedisConnectionException) ? StoreFailure.UNREACHABLE
				: kind;
	}

}

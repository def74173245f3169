package dev.ratelimit.store.redis.resp;

import java.util.Locale;
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

	private static final Pattern REFUSED = Pattern
		.compile("can't run this command|ACL failure in script|No permissions to|can't access |Unknown Redis command");

	/** Redis quotes the arguments behind it, which are clients or passwords. */
	private static final Pattern UNKNOWN_COMMAND = Pattern.compile("(?is)ERR unknown command ['`]?(\\w+).*");

	/** In the words of a proxy. */
	private static final Pattern REFUSED_SCRIPTS = Pattern.compile("(?is)ERR .*?\\b(EVAL(?:SHA)?)\\b.*");

	/** Errors of a script that ran name its lines. */
	private static final String LINE_OF_A_SCRIPT = "user_script:";

	/** Only a refusal of keys of several slots mentions them, and nothing has run. */
	private static final Pattern SLOTS = Pattern.compile("(?i)slot");

	private RespErrors() {
	}

	/**
	 * Classify an error reply of Redis.
	 * @param error the reply
	 * @return what it means
	 */
	static ErrorReply reply(JedisDataException error) {
		String message = String.valueOf(error.getMessage());
		Matcher unknown = UNKNOWN_COMMAND.matcher(message);
		if (unknown.matches()) {
			return new ErrorReply(StoreFailure.NOT_PERMITTED, false, false, false, lacking(unknown.group(1)));
		}
		Matcher refused = REFUSED_SCRIPTS.matcher(message);
		if (refused.matches() && !SLOTS.matcher(message).find() && !message.contains(LINE_OF_A_SCRIPT)) {
			return new ErrorReply(StoreFailure.NOT_PERMITTED, false, false, false, lacking(refused.group(1)));
		}
		Optional<ErrorPrefix> word = word(message);
		StoreFailure failure = REFUSED.matcher(message).find() ? StoreFailure.NOT_PERMITTED
				: word.map(ErrorPrefix::failure).orElse(StoreFailure.ERROR);
		return new ErrorReply(failure, mayHaveRun(error, failure), false,
				word.map(ErrorPrefix::endsConnection).orElse(false), error);
	}

	private static JedisDataException lacking(String command) {
		boolean script = command.toUpperCase(Locale.ROOT).startsWith("EVAL");
		return new JedisDataException(
				(script ? "this server runs no scripts: it" : "this server") + " does not know " + command);
	}

	/**
	 * Classify an error reply to a command on several keys, which are of several slots
	 * where Redis is a Cluster. A node says so by {@code CROSSSLOT}, proxies in words of
	 * their own. Keys are kept apart whatever the words; the calls are sent again only if
	 * the words leave no doubt, as another error may come after the call has run.
	 * @param error the reply, classified as that to a command on one key
	 * @return what it means
	 */
	static ErrorReply ofSeveralKeys(ErrorReply error) {
		String message = String.valueOf(error.cause().getMessage());
		boolean refused = error.failure() == StoreFailure.ERROR && error.mayHaveRun()
				&& !message.contains(LINE_OF_A_SCRIPT);
		return refused ? new ErrorReply(StoreFailure.ERROR, !SLOTS.matcher(message).find(), true, false, error.cause())
				: error;
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
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof JedisDataException error) {
				ErrorReply refusal = reply(error);
				return noConnection(
						(refusal.failure() == StoreFailure.ERROR) ? beforeTheFirstCall(error) : refusal.failure(),
						refusal.cause());
			}
		}
		StoreFailure kind = IoFailure.of(failure);
		return noConnection((kind == StoreFailure.ERROR && failure instanceof JedisConnectionException)
				? StoreFailure.UNREACHABLE : kind, failure);
	}

	/** An operator has to change the server or a setting, unless it is only full. */
	private static StoreFailure beforeTheFirstCall(JedisDataException error) {
		return String.valueOf(error.getMessage()).startsWith("ERR max number of clients") ? StoreFailure.UNREACHABLE
				: StoreFailure.NOT_PERMITTED;
	}

	private static NoConnectionException noConnection(StoreFailure failure, Throwable cause) {
		return new NoConnectionException(failure, String.valueOf(cause.getMessage()), cause);
	}

}

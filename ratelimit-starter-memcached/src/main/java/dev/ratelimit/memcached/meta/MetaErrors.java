package dev.ratelimit.memcached.meta;

import java.io.IOException;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.wire.ErrorReply;
import dev.ratelimit.store.wire.IoFailure;
import dev.ratelimit.store.wire.NoConnectionException;

/**
 * Classifies errors by the text of Memcached's reply. The table is in docs/memcached.md.
 */
final class MetaErrors {

	private MetaErrors() {
	}

	/**
	 * Classify an error.
	 * @param line the line that Memcached replied
	 * @return what it means; the command did not run
	 */
	static ErrorReply reply(String line) {
		StoreFailure failure = failure(line);
		return new ErrorReply(failure, false, false, failure == StoreFailure.NOT_PERMITTED, new RepliedError(line));
	}

	/**
	 * The replies cannot be assigned to the commands.
	 * @param reason why
	 * @return the error of all commands, which may have run
	 */
	static ErrorReply garbled(String reason) {
		return new ErrorReply(StoreFailure.ERROR, true, false, true, new RepliedError(reason));
	}

	private static StoreFailure failure(String line) {
		if (line.startsWith("CLIENT_ERROR unauthenticated") || line.startsWith("CLIENT_ERROR authentication failure")) {
			return StoreFailure.NOT_PERMITTED;
		}
		boolean busy = line.startsWith("SERVER_ERROR") || line.startsWith("ERROR Too many open connections");
		return busy ? StoreFailure.UNAVAILABLE : StoreFailure.ERROR;
	}

	/**
	 * Classify a line that refuses a connection.
	 * @param line the line that Memcached replied
	 * @return the failure with its meaning
	 */
	static NoConnectionException noConnection(String line) {
		return new NoConnectionException(failure(line), line, null);
	}

	static NoConnectionException noConnection(IOException failure) {
		return new NoConnectionException(IoFailure.of(failure), String.valueOf(failure.getMessage()), failure);
	}

	/**
	 * An error that Memcached replied. It has no stack trace, as it is no fault of a
	 * caller.
	 */
	private static final class RepliedError extends RuntimeException {

		private static final long serialVersionUID = 1L;

		RepliedError(String message) {
			super(message, null, false, false);
		}

	}

}

package dev.ratelimit.store.redis.resp;

import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when there is no connection for a request.
 */
final class NoConnectionException extends Exception {

	private static final long serialVersionUID = 1L;

	private final StoreFailure failure;

	NoConnectionException(StoreFailure failure, String message, @Nullable Throwable cause) {
		// Has no stack trace, which would be costly where many of these are thrown.
		super(message, cause, false, false);
		this.failure = failure;
	}

	StoreFailure failure() {
		return this.failure;
	}

}

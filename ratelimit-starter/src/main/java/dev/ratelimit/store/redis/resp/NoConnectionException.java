package dev.ratelimit.store.redis.resp;

import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * There is no connection for a request.
 */
final class NoConnectionException extends Exception {

	private static final long serialVersionUID = 1L;

	private final StoreFailure failure;

	NoConnectionException(StoreFailure failure, String message, @Nullable Throwable cause) {
		// Costs no look at the stack, where there are many of them.
		super(message, cause, false, false);
		this.failure = failure;
	}

	StoreFailure failure() {
		return this.failure;
	}

}

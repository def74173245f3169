package dev.ratelimit.store.wire;

import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * Thrown when there is no connection for a request.
 */
public final class NoConnectionException extends Exception {

	private static final long serialVersionUID = 1L;

	private final StoreFailure failure;

	/**
	 * Create the exception.
	 * @param failure what it means
	 * @param message the reason
	 * @param cause what it was caused by, if anything
	 */
	public NoConnectionException(StoreFailure failure, String message, @Nullable Throwable cause) {
		// Has no stack trace, which would be costly where many of these are thrown.
		super(message, cause, false, false);
		this.failure = failure;
	}

	/**
	 * What it means.
	 * @return the failure
	 */
	public StoreFailure failure() {
		return this.failure;
	}

}

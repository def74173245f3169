package dev.ratelimit.memcached.meta;

/**
 * A server answered that the limiter can never count on.
 */
public final class UnusableServerException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	UnusableServerException(String message) {
		super(message);
	}

}

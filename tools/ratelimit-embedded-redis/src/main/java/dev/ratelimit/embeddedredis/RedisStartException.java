package dev.ratelimit.embeddedredis;

/**
 * A server ended before it served. The message holds the end of its log.
 */
final class RedisStartException extends IllegalStateException {

	private static final long serialVersionUID = 1L;

	RedisStartException(String message) {
		super(message);
	}

	boolean isAddressInUse() {
		return String.valueOf(getMessage()).contains("Address already in use");
	}

}

package dev.ratelimit.embeddedredis;

/**
 * A server ended before it accepted connections. The message contains the end of its log.
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

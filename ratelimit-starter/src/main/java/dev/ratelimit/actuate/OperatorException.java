package dev.ratelimit.actuate;

/**
 * The endpoint cannot perform an operation. The message states the reason and the cure.
 */
final class OperatorException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final ErrorKind kind;

	OperatorException(ErrorKind kind, String message) {
		super(message, null, false, false);
		this.kind = kind;
	}

	ErrorKind kind() {
		return this.kind;
	}

	/** The kind of error. */
	enum ErrorKind {

		/** There is no such rule or client. */
		NOT_FOUND,

		/** The operator must change the request. */
		BAD_REQUEST,

		/** The store must become available again. */
		UNAVAILABLE

	}

}

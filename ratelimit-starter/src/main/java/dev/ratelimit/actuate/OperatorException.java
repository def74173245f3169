package dev.ratelimit.actuate;

/**
 * The endpoint cannot do what an operator asked for; the message tells why, and the cure.
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

	/** Who has to do something about it. */
	enum ErrorKind {

		/** There is no such rule or client. */
		NOT_FOUND,

		/** The operator has to ask otherwise. */
		BAD_REQUEST,

		/** The store has to come back. */
		UNAVAILABLE

	}

}

package dev.ratelimit.actuate;

import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * The endpoint cannot perform an operation. The message states the reason and the cure.
 */
final class OperatorException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final int status;

	private OperatorException(int status, String message) {
		super(message, null, false, false);
		this.status = status;
	}

	/** There is no such rule or client. */
	static OperatorException notFound(String message) {
		return new OperatorException(WebEndpointResponse.STATUS_NOT_FOUND, message);
	}

	/** The operator must change the request. */
	static OperatorException badRequest(String message) {
		return new OperatorException(WebEndpointResponse.STATUS_BAD_REQUEST, message);
	}

	/** The store must become available again. */
	static OperatorException unavailable(String message) {
		return new OperatorException(WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE, message);
	}

	/** The status of the response. */
	int status() {
		return this.status;
	}

}

package dev.ratelimit.backtest.log;

/**
 * A line that contains no request. Cheap to throw, because whole logs may consist of such
 * lines.
 */
final class BrokenLineException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	private final String reason;

	/**
	 * Create the exception.
	 * @param reason what is wrong, one of a few texts, without any part of the line
	 */
	BrokenLineException(String reason) {
		super(reason, null, false, false);
		this.reason = reason;
	}

	String reason() {
		return this.reason;
	}

}

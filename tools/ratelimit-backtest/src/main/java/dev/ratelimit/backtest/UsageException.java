package dev.ratelimit.backtest;

/**
 * The command cannot be executed with the given options.
 */
final class UsageException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create the exception.
	 * @param message what is wrong, and what to write instead
	 */
	UsageException(String message) {
		super(message);
	}

}

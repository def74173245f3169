package dev.ratelimit.backtest.log;

/**
 * Parses numbers.
 */
final class Texts {

	private Texts() {
	}

	/** A status; nginx writes 000 for a client that closed the connection. */
	static int status(String text) {
		if (text.length() != 3) {
			throw new BrokenLineException("has no status");
		}
		return digits(text, 0, 3, "has no status");
	}

	/**
	 * Parses a number that consists of digits only.
	 * @param otherwise the reason if the text is anything else
	 */
	static int digits(String text, int from, int to, String otherwise) {
		int number = 0;
		for (int i = from; i < to; i++) {
			char c = text.charAt(i);
			if (c < '0' || c > '9') {
				throw new BrokenLineException(otherwise);
			}
			number = number * 10 + (c - '0');
		}
		return number;
	}

}

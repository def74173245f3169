package dev.ratelimit.store;

/**
 * Who is counted, in the form a store keys by: at most 43 characters out of
 * {@code [A-Za-z0-9_.:-]}, chosen by us and never the client's own text.
 *
 * @param text the encoded identity; the first character tells its type
 */
public record Subject(String text) {

	/** The longest encoded identity. */
	public static final int MAX_LENGTH = 43;

	public Subject {
		if (text.isEmpty() || text.length() > MAX_LENGTH) {
			throw new IllegalArgumentException("A subject has 1 to " + MAX_LENGTH + " characters");
		}
		for (int i = 0; i < text.length(); i++) {
			if (!isAllowed(text.charAt(i))) {
				throw new IllegalArgumentException("A subject consists of [A-Za-z0-9_.:-]");
			}
		}
	}

	private static boolean isAllowed(char c) {
		return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.'
				|| c == ':' || c == '-';
	}

}

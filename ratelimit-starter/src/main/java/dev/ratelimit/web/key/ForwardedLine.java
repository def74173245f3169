package dev.ratelimit.web.key;

/**
 * One line of a forwarding header, read from its right end. The last proxy has appended
 * its part to text that a client wrote, which must not change how that part is read.
 *
 * <p>
 * In {@code Forwarded} (RFC 7239) quotes matter. A proxy may repeat text of the client
 * there, such as its {@code Host}. A comma or a {@code for=} inside quotes has no
 * meaning. Tested by {@code ClientAddressesTests}.
 */
final class ForwardedLine {

	/** Not an address, so the walk over the hops ends here. */
	private static final String UNREADABLE = "";

	private final String line;

	private final boolean rfc7239;

	/** The end of the part that has not been read yet; negative if there is none. */
	private int end;

	/**
	 * Create a reader.
	 * @param line a header line
	 * @param rfc7239 whether it is one of {@code Forwarded}
	 */
	ForwardedLine(String line, boolean rfc7239) {
		this.line = line;
		this.rfc7239 = rfc7239;
		this.end = line.length();
	}

	/** Whether there is another hop to the left of those read so far. */
	boolean hasPrevious() {
		return this.end >= 0;
	}

	/**
	 * The next hop to the left of those read so far; empty if it is malformed, or names
	 * no address.
	 */
	String previous() {
		String hop = this.rfc7239 ? element() : back(",");
		// Skip the comma.
		this.end--;
		return hop;
	}

	/** The {@code for} of an element, if it has exactly one. */
	private String element() {
		String hop = UNREADABLE;
		int hops = 0;
		do {
			skipBlanks();
			boolean quoted = take('"');
			int valueEnd = this.end;
			int valueStart = quoted ? opening() : valueEnd;
			this.end = quoted ? valueStart - 1 : valueEnd;
			String pair = (this.end < 0) ? "" : back(";,\"");
			int equals = pair.indexOf('=');
			if (quoted && (equals < 0 || equals != pair.length() - 1)) {
				return malformed();
			}
			if (equals >= 0 && pair.substring(0, equals).strip().equalsIgnoreCase("for")) {
				hop = quoted ? unescaped(valueStart, valueEnd) : pair.substring(equals + 1).strip();
				hops++;
			}
		}
		while (take(';'));
		if (this.end > 0 && this.line.charAt(this.end - 1) != ',') {
			return malformed();
		}
		return (hops == 1) ? hop : UNREADABLE;
	}

	private String malformed() {
		this.end = 0;
		return UNREADABLE;
	}

	/** The text behind the last of these characters, without blanks around it. */
	private String back(String starts) {
		int start = this.end;
		while (start > 0 && starts.indexOf(this.line.charAt(start - 1)) < 0) {
			start--;
		}
		String text = this.line.substring(start, this.end).strip();
		this.end = start;
		return text;
	}

	/** The start of the quoted text that ends here; 0 if no quoted text ends here. */
	private int opening() {
		if (isEscaped(this.end)) {
			return 0;
		}
		int quote = this.line.lastIndexOf('"', this.end - 1);
		while (quote > 0 && isEscaped(quote)) {
			quote = this.line.lastIndexOf('"', quote - 1);
		}
		return quote + 1;
	}

	private boolean isEscaped(int place) {
		int start = place;
		while (start > 0 && this.line.charAt(start - 1) == '\\') {
			start--;
		}
		return (place - start) % 2 == 1;
	}

	private String unescaped(int start, int stop) {
		StringBuilder text = new StringBuilder();
		for (int i = start; i < stop; i++) {
			i += (this.line.charAt(i) == '\\') ? 1 : 0;
			text.append(this.line.charAt(i));
		}
		return text.toString();
	}

	private void skipBlanks() {
		while (this.end > 0 && (this.line.charAt(this.end - 1) == ' ' || this.line.charAt(this.end - 1) == '\t')) {
			this.end--;
		}
	}

	private boolean take(char expected) {
		boolean taken = this.end > 0 && this.line.charAt(this.end - 1) == expected;
		this.end -= taken ? 1 : 0;
		return taken;
	}

}

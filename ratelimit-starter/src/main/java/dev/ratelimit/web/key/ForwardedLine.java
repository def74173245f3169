package dev.ratelimit.web.key;

import java.util.ArrayList;
import java.util.List;

/**
 * One line of {@code Forwarded} (RFC 7239). It is read from its start and with its
 * quotes: a proxy may repeat there what the client wrote, such as its {@code Host}, and a
 * comma or a {@code for=} inside quotes is none.
 */
final class ForwardedLine {

	/** No address, so that the walk over the hops ends here. */
	private static final String UNREADABLE = "";

	private final String line;

	private int place;

	private boolean unclosed;

	private ForwardedLine(String line) {
		this.line = line;
	}

	/**
	 * The {@code for} of every element, the client's end first.
	 * @param line a header line
	 * @return one text per element, empty where it has no {@code for} or two; a single
	 * empty one if the line is malformed anywhere
	 */
	static List<String> hops(String line) {
		ForwardedLine reader = new ForwardedLine(line);
		List<String> hops = new ArrayList<>();
		do {
			hops.add(reader.element());
		}
		while (reader.take(','));
		return (reader.atEnd() && !reader.unclosed) ? hops : List.of(UNREADABLE);
	}

	private String element() {
		List<String> hops = new ArrayList<>(1);
		do {
			String name = text("=;,\"");
			if (take('=')) {
				skipBlanks();
				String value = take('"') ? quoted() : text(";,\"");
				if (name.equalsIgnoreCase("for")) {
					hops.add(value);
				}
			}
		}
		while (take(';'));
		return (hops.size() == 1) ? hops.get(0) : UNREADABLE;
	}

	/** What stands before the next of these characters, without blanks around it. */
	private String text(String ends) {
		int start = this.place;
		while (!atEnd() && ends.indexOf(this.line.charAt(this.place)) < 0) {
			this.place++;
		}
		return this.line.substring(start, this.place).strip();
	}

	/** The rest of a quoted text. */
	private String quoted() {
		StringBuilder text = new StringBuilder();
		while (!take('"')) {
			take('\\');
			if (atEnd()) {
				this.unclosed = true;
				return UNREADABLE;
			}
			text.append(this.line.charAt(this.place++));
		}
		skipBlanks();
		return text.toString();
	}

	private void skipBlanks() {
		while (!atEnd() && (this.line.charAt(this.place) == ' ' || this.line.charAt(this.place) == '\t')) {
			this.place++;
		}
	}

	private boolean take(char expected) {
		boolean taken = !atEnd() && this.line.charAt(this.place) == expected;
		this.place += taken ? 1 : 0;
		return taken;
	}

	private boolean atEnd() {
		return this.place == this.line.length();
	}

}

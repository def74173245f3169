package dev.ratelimit.backtest.log;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Reads
 * {@code ADDRESS - USER [TIME] "METHOD TARGET PROTOCOL" STATUS BYTES "REFERER" "USER-AGENT"}.
 * Any text behind these is ignored, and the last two may be missing. Quoted texts may
 * contain the escapes of Apache and nginx: {@code \"}, {@code \\}, {@code \x22}.
 */
final class CombinedLine {

	private static final String ABSENT = "-";

	private final String text;

	private int place;

	private CombinedLine(String text) {
		this.text = text;
	}

	static LogLine parse(RawLine line) {
		return new CombinedLine(line.text()).read(line.number());
	}

	private LogLine read(long number) {
		String address = upTo(" ");
		upTo(" ");
		String user = upTo(" [");
		String time = upTo("] ");
		String request = quoted();
		expect(' ');
		int status = Texts.status(word());
		word();
		Map<String, String> headers = new HashMap<>(4);
		header("referer", headers);
		header("user-agent", headers);
		if (address.isEmpty()) {
			throw new BrokenLineException("has no address");
		}
		RequestLine requestLine = RequestLine.parse(request);
		return new LogLine(number, Times.common(time), address, present(user), requestLine.method(), requestLine.path(),
				requestLine.query(), status, headers);
	}

	private String upTo(String end) {
		int found = this.text.indexOf(end, this.place);
		if (found < 0) {
			throw new BrokenLineException("is not in this format");
		}
		String part = this.text.substring(this.place, found);
		this.place = found + end.length();
		return part;
	}

	private void expect(char c) {
		if (this.place >= this.text.length() || this.text.charAt(this.place) != c) {
			throw new BrokenLineException("is not in this format");
		}
		this.place++;
	}

	private String word() {
		int found = this.text.indexOf(' ', this.place);
		int end = (found < 0) ? this.text.length() : found;
		String word = this.text.substring(this.place, end);
		this.place = Math.min(end + 1, this.text.length());
		return word;
	}

	private void header(String name, Map<String, String> headers) {
		if (this.place < this.text.length()) {
			present(quoted()).ifPresent((value) -> headers.put(name, value));
			word();
		}
	}

	private static Optional<String> present(String text) {
		return (text.isEmpty() || text.equals(ABSENT)) ? Optional.empty() : Optional.of(text);
	}

	private String quoted() {
		expect('"');
		int start = this.place;
		while (this.place < this.text.length()) {
			char c = this.text.charAt(this.place);
			if (c == '"') {
				return this.text.substring(start, this.place++);
			}
			if (c == '\\') {
				return quotedWithEscapes(start);
			}
			this.place++;
		}
		throw new BrokenLineException("has a quote that does not end");
	}

	private String quotedWithEscapes(int start) {
		StringBuilder unescaped = new StringBuilder(this.text.substring(start, this.place));
		while (this.place < this.text.length()) {
			char c = this.text.charAt(this.place++);
			if (c == '"') {
				return unescaped.toString();
			}
			unescaped.append((c == '\\' && this.place < this.text.length()) ? unescape() : c);
		}
		throw new BrokenLineException("has a quote that does not end");
	}

	private char unescape() {
		char c = this.text.charAt(this.place++);
		if (c == 'x' && this.place + 2 <= this.text.length()) {
			int high = Character.digit(this.text.charAt(this.place), 16);
			int low = Character.digit(this.text.charAt(this.place + 1), 16);
			if (high >= 0 && low >= 0) {
				this.place += 2;
				return (char) (high * 16 + low);
			}
		}
		return switch (c) {
			case 'n' -> '\n';
			case 'r' -> '\r';
			case 't' -> '\t';
			case 'b' -> '\b';
			case 'v' -> '\u000b';
			default -> c;
		};
	}

}

package dev.ratelimit.memcached.meta;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * A part of a reply, used again for the next one: its words are read without creating
 * texts. Not safe for concurrent use.
 */
final class MetaLine {

	/** No line that Memcached replies to these commands is nearly as long. */
	static final int LONGEST = 2048;

	private final byte[] bytes = new byte[LONGEST];

	private int length;

	void clear() {
		this.length = 0;
	}

	void add(int character) throws IOException {
		if (this.length == LONGEST) {
			throw new IOException("A line of the reply does not end");
		}
		this.bytes[this.length++] = (byte) character;
	}

	/** Remove a character from the end, as often as it is there. */
	void stripEnd(char character) {
		while (this.length > 0 && this.bytes[this.length - 1] == character) {
			this.length--;
		}
	}

	boolean is(String text) {
		return this.length == text.length() && startsWith(text);
	}

	boolean startsWith(String text) {
		if (this.length < text.length()) {
			return false;
		}
		for (int i = 0; i < text.length(); i++) {
			if (this.bytes[i] != text.charAt(i)) {
				return false;
			}
		}
		return true;
	}

	/** Where the next word begins, or the length if there is none. */
	int nextWord(int from) {
		int at = from;
		while (at < this.length && this.bytes[at] == ' ') {
			at++;
		}
		return at;
	}

	/** Where a word ends. */
	int endOfWord(int from) {
		int at = from;
		while (at < this.length && this.bytes[at] != ' ') {
			at++;
		}
		return at;
	}

	boolean has(int at, char character) {
		return at < this.length && this.bytes[at] == character;
	}

	int length() {
		return this.length;
	}

	/** Whether there is nothing but digits, and at least one. */
	boolean isDigits() {
		return this.length > 0 && areDigits(0, this.length);
	}

	private boolean areDigits(int from, int to) {
		for (int i = from; i < to; i++) {
			if (this.bytes[i] < '0' || this.bytes[i] > '9') {
				return false;
			}
		}
		return from < to;
	}

	/**
	 * A whole number.
	 * @return the number; the largest if it is larger, or no number
	 */
	long number(int from, int to) {
		boolean negative = from < to && this.bytes[from] == '-';
		int first = negative ? from + 1 : from;
		if (!areDigits(first, to)) {
			return Long.MAX_VALUE;
		}
		long number = 0;
		for (int i = first; i < to; i++) {
			if (number > (Long.MAX_VALUE - 9) / 10) {
				return Long.MAX_VALUE;
			}
			number = number * 10 + (this.bytes[i] - '0');
		}
		return negative ? -number : number;
	}

	@Override
	public String toString() {
		return new String(this.bytes, 0, this.length, StandardCharsets.ISO_8859_1);
	}

}

package dev.ratelimit.backtest.log;

import java.nio.charset.StandardCharsets;

/**
 * An unparsed line of a log.
 *
 * @param number its number, from 1
 * @param bytes its content, without the line end; only its beginning if it is too long
 * @param tooLong whether it is longer than {@link LineReader#MAX_BYTES}
 */
@SuppressWarnings("ArrayRecordComponent")
record RawLine(long number, byte[] bytes, boolean tooLong) {

	/**
	 * One character per byte, regardless of the bytes; servers read headers in the same
	 * way.
	 */
	String text() {
		return new String(this.bytes, StandardCharsets.ISO_8859_1);
	}

	boolean isBlank() {
		for (byte one : this.bytes) {
			if (one != ' ' && one != '\t') {
				return false;
			}
		}
		return !this.tooLong;
	}

}

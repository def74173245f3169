package dev.ratelimit.backtest.log;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;

/**
 * Splits a stream of any content into lines, and never holds more than {@link #MAX_BYTES}
 * of a line.
 */
final class LineReader {

	/** Servers accept request lines and headers of some 8 KB each. */
	static final int MAX_BYTES = 32 * 1024;

	private static final byte[] BYTE_ORDER_MARK = { (byte) 0xef, (byte) 0xbb, (byte) 0xbf };

	private final InputStream stream;

	private final byte[] read = new byte[64 * 1024];

	private final byte[] line = new byte[MAX_BYTES];

	private int from;

	private int to;

	private long number;

	LineReader(InputStream stream) {
		this.stream = stream;
	}

	/**
	 * Read the next line.
	 * @return the line; empty at the end
	 * @throws IOException if the stream cannot be read
	 */
	Optional<RawLine> next() throws IOException {
		int length = 0;
		boolean tooLong = false;
		boolean any = false;
		while (this.from < this.to || fill()) {
			any = true;
			int end = indexOfLineFeed();
			int part = Math.min(end - this.from, MAX_BYTES - length);
			tooLong |= part < end - this.from;
			System.arraycopy(this.read, this.from, this.line, length, part);
			length += part;
			this.from = end + 1;
			if (end < this.to) {
				break;
			}
		}
		return any ? Optional.of(line(length, tooLong)) : Optional.empty();
	}

	private RawLine line(int length, boolean tooLong) {
		this.number++;
		int start = (this.number == 1 && startsWithMark(length)) ? BYTE_ORDER_MARK.length : 0;
		int end = (length > 0 && this.line[length - 1] == '\r') ? length - 1 : length;
		return new RawLine(this.number, Arrays.copyOfRange(this.line, Math.min(start, end), end), tooLong);
	}

	private boolean startsWithMark(int length) {
		return length >= BYTE_ORDER_MARK.length
				&& Arrays.equals(this.line, 0, BYTE_ORDER_MARK.length, BYTE_ORDER_MARK, 0, BYTE_ORDER_MARK.length);
	}

	private boolean fill() throws IOException {
		this.from = 0;
		this.to = Math.max(0, this.stream.read(this.read));
		return this.to > 0;
	}

	/** The position of the next line feed, or the end of the bytes read. */
	private int indexOfLineFeed() {
		for (int i = this.from; i < this.to; i++) {
			if (this.read[i] == '\n') {
				return i;
			}
		}
		return this.to;
	}

}

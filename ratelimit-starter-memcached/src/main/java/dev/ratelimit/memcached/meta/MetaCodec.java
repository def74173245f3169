package dev.ratelimit.memcached.meta;

import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;

import dev.ratelimit.store.wire.Codec;
import dev.ratelimit.store.wire.Command;

/**
 * Memcached's text protocol, as far as meta commands need it. The reply to a command of
 * the limiter is the list of the {@linkplain MetaReply replies} up to {@code MN}.
 */
final class MetaCodec implements Codec {

	/** No line that Memcached replies to these commands is nearly as long. */
	private static final int LONGEST_LINE = 2048;

	private static final String EVICTIONS = "STAT evictions ";

	/** Holds a shared batch of usual size. */
	private static final int BUFFER_BYTES = 16 * 1024;

	private final InputStream in;

	private final OutputStream out;

	private final byte[] received = new byte[BUFFER_BYTES];

	private int next;

	private int end;

	MetaCodec(InputStream in, OutputStream out) {
		this.in = in;
		this.out = new BufferedOutputStream(out, BUFFER_BYTES);
	}

	@Override
	public void write(Command command) throws IOException {
		((MetaPipeline) command).writeTo(this.out);
	}

	/** Send a text. For the first words on a connection, before it carries commands. */
	void send(String text) throws IOException {
		this.out.write(text.getBytes(StandardCharsets.UTF_8));
		this.out.flush();
	}

	@Override
	public void flush() throws IOException {
		this.out.flush();
	}

	@Override
	public List<MetaReply> read() throws IOException {
		List<MetaReply> replies = new ArrayList<>();
		for (String line = readLine(); !"MN".equals(line); line = readLine()) {
			replies.add(reply(line));
		}
		return replies;
	}

	/** Before 1.6.18, Memcached leaves a blank behind a reply without flags. */
	private MetaReply reply(String line) throws IOException {
		if (line.startsWith("VA ")) {
			return count(line);
		}
		if (line.startsWith("STAT ")) {
			return statistics(line);
		}
		return switch (line.stripTrailing()) {
			case "HD" -> new MetaReply.Done();
			case "NF", "EN" -> new MetaReply.NotFound();
			default -> new MetaReply.NotRun(MetaErrors.reply(line));
		};
	}

	/**
	 * A value follows its line. A count that was decremented is padded with blanks.
	 * @param line for example {@code VA 1 t61}
	 */
	private MetaReply count(String line) throws IOException {
		StringTokenizer words = new StringTokenizer(line.substring("VA ".length()), " ");
		long length = words.hasMoreTokens() ? number(words.nextToken()) : -1;
		long secondsLeft = 0;
		while (words.hasMoreTokens()) {
			String flag = words.nextToken();
			secondsLeft = flag.startsWith("t") ? number(flag.substring(1)) : secondsLeft;
		}
		String value = readText(length).strip();
		if (!value.chars().allMatch((c) -> c >= '0' && c <= '9') || value.isEmpty()) {
			return new MetaReply.NotRun(MetaErrors.reply("The value of a key of the limiter is no count"));
		}
		return new MetaReply.Count(Math.min(number(value), MetaReply.Count.LARGEST), secondsLeft);
	}

	/** The lines up to {@code END} are one reply. */
	private MetaReply statistics(String first) throws IOException {
		long evictions = 0;
		for (String line = first; !"END".equals(line); line = readLine()) {
			evictions = line.startsWith(EVICTIONS) ? number(line.substring(EVICTIONS.length())) : evictions;
		}
		return new MetaReply.Statistics(evictions);
	}

	/** A number that may be too large for a {@code long}, or {@code -1} for none. */
	private static long number(String digits) {
		try {
			return Long.parseLong(digits);
		}
		catch (NumberFormatException ex) {
			return Long.MAX_VALUE;
		}
	}

	/**
	 * Read a line.
	 * @return the line without its end
	 */
	String readLine() throws IOException {
		StringBuilder line = new StringBuilder();
		for (int c = readByte(); c != '\n'; c = readByte()) {
			if (line.length() == LONGEST_LINE) {
				throw new IOException("A line of the reply does not end");
			}
			line.append((char) c);
		}
		if (line.length() > 0 && line.charAt(line.length() - 1) == '\r') {
			line.setLength(line.length() - 1);
		}
		return line.toString();
	}

	private String readText(long length) throws IOException {
		if (length < 0 || length > LONGEST_LINE) {
			throw new IOException("The value of a key of the limiter is too long: " + length + " bytes");
		}
		StringBuilder text = new StringBuilder();
		for (int i = 0; i < length; i++) {
			text.append((char) readByte());
		}
		if (readByte() != '\r' || readByte() != '\n') {
			throw new IOException("A value is longer than announced");
		}
		return text.toString();
	}

	private int readByte() throws IOException {
		if (this.next == this.end) {
			fill();
		}
		return this.received[this.next++] & 0xff;
	}

	private void fill() throws IOException {
		int read = this.in.read(this.received, 0, this.received.length);
		if (read < 0) {
			throw new EOFException("Memcached has closed the connection");
		}
		this.next = 0;
		this.end = read;
	}

	@Override
	public boolean hasUnread() {
		return this.next < this.end;
	}

	@Override
	public void awaitInput() throws IOException {
		if (!hasUnread()) {
			fill();
		}
	}

}

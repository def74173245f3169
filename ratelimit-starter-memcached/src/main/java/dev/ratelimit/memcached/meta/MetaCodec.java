package dev.ratelimit.memcached.meta;

import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.wire.Codec;
import dev.ratelimit.store.wire.Command;

/**
 * Memcached's text protocol, as far as meta commands need it. The reply to a command of
 * the limiter is the list of the {@linkplain MetaReply replies} up to {@code MN}.
 */
final class MetaCodec implements Codec {

	private static final String VALUE = "VA ";

	private static final String EVICTIONS = "STAT evictions ";

	/** Holds a shared batch of usual size. */
	private static final int BUFFER_BYTES = 16 * 1024;

	private final InputStream in;

	private final OutputStream out;

	private final byte[] received = new byte[BUFFER_BYTES];

	private final MetaLine line = new MetaLine();

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
		for (nextLine(); !this.line.is("MN"); nextLine()) {
			replies.add(reply());
		}
		return replies;
	}

	/** Before 1.6.18, Memcached leaves a blank behind a reply without flags. */
	private MetaReply reply() throws IOException {
		if (this.line.startsWith(VALUE)) {
			return count();
		}
		if (this.line.startsWith("STAT ")) {
			return statistics();
		}
		this.line.stripEnd(' ');
		if (this.line.is("HD")) {
			return new MetaReply.Done();
		}
		return (this.line.is("NF") || this.line.is("EN")) ? new MetaReply.NotFound()
				: new MetaReply.NotRun(MetaErrors.reply(this.line.toString()));
	}

	/**
	 * A value follows its line, for example {@code VA 1 t61}. A count that was
	 * decremented is padded with blanks.
	 */
	private MetaReply count() throws IOException {
		int word = this.line.nextWord(VALUE.length());
		int end = this.line.endOfWord(word);
		long length = this.line.number(word, end);
		long secondsLeft = 0;
		for (word = this.line.nextWord(end); word < this.line.length(); word = this.line.nextWord(end)) {
			end = this.line.endOfWord(word);
			secondsLeft = this.line.has(word, 't') ? this.line.number(word + 1, end) : secondsLeft;
		}
		readValue(length);
		if (!this.line.isDigits()) {
			return new MetaReply.NotRun(MetaErrors.reply("The value of a key of the limiter is no count"));
		}
		return new MetaReply.Count(Math.min(this.line.number(0, this.line.length()), MetaReply.Count.LARGEST),
				secondsLeft);
	}

	private void readValue(long length) throws IOException {
		if (length < 0 || length > MetaLine.LONGEST) {
			throw new IOException("The value of a key of the limiter is too long: " + length + " bytes");
		}
		this.line.clear();
		for (int i = 0; i < length; i++) {
			this.line.add(readByte());
		}
		this.line.stripEnd(' ');
		if (readByte() != '\r' || readByte() != '\n') {
			throw new IOException("A value is longer than announced");
		}
	}

	/** The lines up to {@code END} are one reply. */
	private MetaReply statistics() throws IOException {
		long evictions = 0;
		for (; !this.line.is("END"); nextLine()) {
			evictions = this.line.startsWith(EVICTIONS) ? this.line.number(EVICTIONS.length(), this.line.length())
					: evictions;
		}
		return new MetaReply.Statistics(evictions);
	}

	/**
	 * Read a line.
	 * @return the line without its end
	 */
	String readLine() throws IOException {
		nextLine();
		return this.line.toString();
	}

	private void nextLine() throws IOException {
		this.line.clear();
		for (int c = readByte(); c != '\n'; c = readByte()) {
			this.line.add(c);
		}
		this.line.stripEnd('\r');
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

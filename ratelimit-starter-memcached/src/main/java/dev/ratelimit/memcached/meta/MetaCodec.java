package dev.ratelimit.memcached.meta;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.store.wire.Codec;
import dev.ratelimit.store.wire.Command;
import org.jspecify.annotations.Nullable;

/**
 * Memcached's text protocol, as far as meta commands need it. The reply to a command of
 * the limiter is the list of the {@linkplain MetaReply replies} up to {@code MN}.
 */
final class MetaCodec implements Codec {

	/** No line that Memcached replies to these commands is nearly as long. */
	private static final int LONGEST = 2048;

	private static final String VALUE = "VA ";

	private static final String EVICTIONS = "STAT evictions ";

	/** Holds a shared batch of usual size. */
	private static final int BUFFER_BYTES = 16 * 1024;

	private final OutputStream out;

	/** The line read last, used again for the next one, so no line is a new text. */
	private final StringBuilder line = new StringBuilder();

	private ByteBuffer received = ByteBuffer.allocate(0);

	MetaCodec(OutputStream out) {
		this.out = new BufferedOutputStream(out, BUFFER_BYTES);
	}

	@Override
	public void write(Command command) throws IOException {
		((MetaBatch) command).writeTo(this.out);
	}

	@Override
	public void flush() throws IOException {
		this.out.flush();
	}

	@Override
	public @Nullable List<MetaReply> read(ByteBuffer received) throws IOException {
		int start = received.position();
		this.received = received;
		try {
			List<MetaReply> replies = new ArrayList<>();
			for (nextLine(); !is("MN"); nextLine()) {
				replies.add(reply());
			}
			return replies;
		}
		catch (BufferUnderflowException ex) {
			received.position(start);
			return null;
		}
	}

	/** Before 1.6.18, Memcached leaves a blank behind a reply without flags. */
	private MetaReply reply() throws IOException {
		if (startsWith(VALUE)) {
			return count();
		}
		if (startsWith("STAT ")) {
			return statistics();
		}
		stripEnd(' ');
		if (is("HD")) {
			return new MetaReply.Done();
		}
		return (is("NF") || is("EN")) ? new MetaReply.NotFound()
				: new MetaReply.NotRun(MetaErrors.reply(this.line.toString()));
	}

	/**
	 * A value follows its line, for example {@code VA 1 t61}. A count that was
	 * decremented is padded with blanks.
	 */
	private MetaReply count() throws IOException {
		long length = number(VALUE.length());
		int lifetime = this.line.indexOf(" t");
		long secondsLeft = (lifetime < 0) ? 0 : number(lifetime + 2);
		readValue(length);
		try {
			long count = Long.parseUnsignedLong(this.line, 0, this.line.length(), 10);
			return new MetaReply.Count((count < 0 || count > MetaReply.Count.LARGEST) ? MetaReply.Count.LARGEST : count,
					secondsLeft);
		}
		catch (NumberFormatException ex) {
			return new MetaReply.NotRun(MetaErrors.reply("The value of a key of the limiter is no count"));
		}
	}

	private void readValue(long length) throws IOException {
		if (length < 0 || length > LONGEST) {
			throw new IOException("The value of a key of the limiter is too long: " + length + " bytes");
		}
		this.line.setLength(0);
		for (int i = 0; i < length; i++) {
			this.line.append((char) readByte());
		}
		stripEnd(' ');
		if (readByte() != '\r' || readByte() != '\n') {
			throw new IOException("A value is longer than announced");
		}
	}

	/** The lines up to {@code END} are one reply. */
	private MetaReply statistics() throws IOException {
		long evictions = 0;
		for (; !is("END"); nextLine()) {
			evictions = startsWith(EVICTIONS) ? number(EVICTIONS.length()) : evictions;
		}
		return new MetaReply.Statistics(evictions);
	}

	private void nextLine() throws IOException {
		this.line.setLength(0);
		for (int c = readByte(); c != '\n'; c = readByte()) {
			if (this.line.length() == LONGEST) {
				throw new IOException("A line of the reply does not end");
			}
			this.line.append((char) c);
		}
		stripEnd('\r');
	}

	private void stripEnd(char character) {
		while (!this.line.isEmpty() && this.line.charAt(this.line.length() - 1) == character) {
			this.line.setLength(this.line.length() - 1);
		}
	}

	private boolean is(String text) {
		return text.contentEquals(this.line);
	}

	private boolean startsWith(String text) {
		return this.line.lastIndexOf(text, 0) == 0;
	}

	/** The whole number that is the word from there. */
	private long number(int from) throws IOException {
		int blank = this.line.indexOf(" ", from);
		try {
			return Long.parseLong(this.line, from, (blank < 0) ? this.line.length() : blank, 10);
		}
		catch (NumberFormatException ex) {
			throw new IOException("A line of the reply has no number: " + this.line, ex);
		}
	}

	private int readByte() {
		return this.received.get() & 0xff;
	}

}

package dev.ratelimit.web.outcome;

import java.io.PrintWriter;
import java.nio.charset.Charset;

/**
 * The text of a response, which is told before a byte leaves. Until then every text is
 * encoded twice, to know its length; that is at most one buffer.
 */
final class OutcomeWriter extends PrintWriter {

	private final OutcomeResponse response;

	private final PrintWriter writer;

	private final Charset charset;

	OutcomeWriter(OutcomeResponse response, PrintWriter writer, Charset charset) {
		super(writer);
		this.response = response;
		this.writer = writer;
		this.charset = charset;
	}

	@Override
	public void write(int character) {
		write(String.valueOf((char) character));
	}

	@Override
	public void write(char[] text, int offset, int length) {
		write(new String(text, offset, length));
	}

	@Override
	public void write(String text, int offset, int length) {
		write(text.substring(offset, offset + length));
	}

	@Override
	public void write(String text) {
		this.response.willWrite(text.getBytes(this.charset).length);
		this.writer.write(text);
	}

	/** As the container ends a line, and counted. */
	@Override
	public void println() {
		write("\r\n");
	}

	@Override
	public void flush() {
		this.response.willCommit();
		this.writer.flush();
	}

	@Override
	public void close() {
		this.response.willCommit();
		this.writer.close();
	}

}

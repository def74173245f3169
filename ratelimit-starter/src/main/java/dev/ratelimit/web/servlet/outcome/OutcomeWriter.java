package dev.ratelimit.web.servlet.outcome;

import java.io.PrintWriter;

/**
 * The text of a response. Notifies the response before it is flushed, and immediately
 * after the buffer overflows.
 */
final class OutcomeWriter extends PrintWriter {

	private final OutcomeResponse response;

	private final PrintWriter writer;

	OutcomeWriter(OutcomeResponse response, PrintWriter writer) {
		super(writer);
		this.response = response;
		this.writer = writer;
	}

	@Override
	public void write(int character) {
		this.writer.write(character);
		this.response.wroteText();
	}

	@Override
	public void write(char[] text, int offset, int length) {
		this.writer.write(text, offset, length);
		this.response.wroteText();
	}

	@Override
	public void write(String text, int offset, int length) {
		this.writer.write(text, offset, length);
		this.response.wroteText();
	}

	@Override
	public void println() {
		this.writer.println();
		this.response.wroteText();
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

package dev.ratelimit.web.servlet.outcome;

import java.io.IOException;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;

/**
 * The body of a response. Notifies the response before a byte is sent.
 */
final class OutcomeStream extends ServletOutputStream {

	private final OutcomeResponse response;

	private final ServletOutputStream stream;

	OutcomeStream(OutcomeResponse response, ServletOutputStream stream) {
		this.response = response;
		this.stream = stream;
	}

	@Override
	public void write(int b) throws IOException {
		this.response.willWrite(1);
		this.stream.write(b);
	}

	@Override
	public void write(byte[] bytes, int offset, int length) throws IOException {
		this.response.willWrite(length);
		this.stream.write(bytes, offset, length);
	}

	@Override
	public void flush() throws IOException {
		this.response.willCommit();
		this.stream.flush();
	}

	@Override
	public void close() throws IOException {
		this.response.willCommit();
		this.stream.close();
	}

	@Override
	public boolean isReady() {
		return this.stream.isReady();
	}

	@Override
	public void setWriteListener(WriteListener listener) {
		this.stream.setWriteListener(listener);
	}

}

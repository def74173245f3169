package dev.ratelimit.web.outcome;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;

/**
 * A response that tells its status once, when it is final and before anything has been
 * sent: as soon as the response is about to be committed, on whichever thread that
 * happens, else when the chain has returned, else when asynchronous work is complete.
 * Where asynchronous work writes to the container's own response past this one, it may
 * send first and tell afterwards.
 */
public final class OutcomeResponse extends HttpServletResponseWrapper {

	/** Tomcat's encoder sends a buffer that has no room left for one more character. */
	private static final int ONE_CHARACTER_BYTES = 4;

	private final IntConsumer listener;

	private final AtomicBoolean known = new AtomicBoolean();

	private long bufferedBytes;

	/**
	 * Watch a response.
	 * @param response the response
	 * @param listener hears the status, on a thread that is about to send the response
	 */
	public OutcomeResponse(HttpServletResponse response, IntConsumer listener) {
		super(response);
		this.listener = listener;
	}

	/**
	 * The chain has returned: whatever was not sent yet is about to be, unless there is
	 * asynchronous work.
	 * @param request the request
	 */
	public void returned(HttpServletRequest request) {
		if (request.isAsyncStarted()) {
			request.getAsyncContext().addListener(new CompletionListener(this));
		}
		else {
			willCommit();
		}
	}

	/** The chain has thrown: the client will see a 500, unless it has seen more. */
	public void failed() {
		know(isCommitted() ? getStatus() : SC_INTERNAL_SERVER_ERROR);
	}

	/** The response is about to be sent, or some of it. */
	void willCommit() {
		know(getStatus());
	}

	/** What does not fit into the buffer is sent. */
	void willWrite(int bytes) {
		if (this.known.get()) {
			return;
		}
		this.bufferedBytes += bytes;
		if (this.bufferedBytes > getBufferSize() - ONE_CHARACTER_BYTES) {
			willCommit();
		}
	}

	private void know(int status) {
		if (this.known.compareAndSet(false, true)) {
			this.listener.accept(status);
		}
	}

	@Override
	public ServletOutputStream getOutputStream() throws IOException {
		return new OutcomeStream(this, super.getOutputStream());
	}

	@Override
	public PrintWriter getWriter() throws IOException {
		PrintWriter writer = super.getWriter();
		return new OutcomeWriter(this, writer, Charset.forName(getCharacterEncoding()));
	}

	@Override
	public void flushBuffer() throws IOException {
		willCommit();
		super.flushBuffer();
	}

	@Override
	public void reset() {
		super.reset();
		this.bufferedBytes = 0;
	}

	@Override
	public void resetBuffer() {
		super.resetBuffer();
		this.bufferedBytes = 0;
	}

}

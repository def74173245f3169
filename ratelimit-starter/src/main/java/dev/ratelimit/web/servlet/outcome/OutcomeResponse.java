package dev.ratelimit.web.servlet.outcome;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;

import dev.ratelimit.web.RequestOutcome;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;

/**
 * A response that reports its status once, when it is final and before anything has been
 * sent. That is as soon as the response is about to be committed, on whichever thread
 * this happens; else when the chain has returned; else when asynchronous work is
 * complete. Two cases are reported after a part of the response was sent, but before its
 * end: text that does not fit into the buffer, and data that asynchronous work writes
 * directly to the container's response. Tested by {@code OutcomeHandlersTests}.
 */
public final class OutcomeResponse extends HttpServletResponseWrapper {

	private static final String CONTENT_LENGTH = "Content-Length";

	private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

	private final RequestOutcome outcome;

	private final IntConsumer settle;

	private final AtomicBoolean known = new AtomicBoolean();

	private long bufferedBytes;

	private OptionalLong contentLength = OptionalLong.empty();

	/** The status that was set last; 0 if none was. */
	private int statusSet;

	/**
	 * Watch a response.
	 * @param response the response
	 * @param outcome is notified of what its status does not say
	 * @param settle receives the status once, on a thread that is about to send the
	 * response
	 */
	public OutcomeResponse(HttpServletResponse response, RequestOutcome outcome, IntConsumer settle) {
		super(response);
		this.outcome = outcome;
		this.settle = settle;
	}

	/**
	 * The chain has returned: the rest of the response is about to be sent, unless there
	 * is asynchronous work.
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

	/** The chain has thrown: the client will see a 500, unless it has seen a status. */
	public void failed() {
		know(isCommitted() ? getStatus() : SC_INTERNAL_SERVER_ERROR);
	}

	/**
	 * Asynchronous work goes on, but the container cannot send its response: nearly
	 * always because the client has left.
	 */
	void clientLeft() {
		this.outcome.becomeUnknown();
	}

	/** The response, or a part of it, is about to be sent. */
	void willCommit() {
		know(getStatus());
	}

	/** Data that does not fit into the buffer is sent, and so is a complete body. */
	void willWrite(int bytes) {
		if (this.known.get()) {
			return;
		}
		this.bufferedBytes += bytes;
		if (this.bufferedBytes > getBufferSize() || isComplete()) {
			willCommit();
		}
	}

	private boolean isComplete() {
		return this.contentLength.isPresent() && this.bufferedBytes >= this.contentLength.getAsLong();
	}

	/**
	 * The container decides how much text it buffers; by now it has sent some, or none.
	 */
	void wroteText() {
		if (!this.known.get() && isCommitted()) {
			willCommit();
		}
	}

	private void know(int status) {
		if (this.known.compareAndSet(false, true)) {
			replaceBy(status);
			this.settle.accept(status);
		}
	}

	private void replaceBy(int status) {
		if (this.statusSet != 0 && this.statusSet != status) {
			this.outcome.replaced(this.statusSet);
		}
	}

	@Override
	public void setStatus(int status) {
		replaceBy(status);
		super.setStatus(status);
		this.statusSet = status;
	}

	@Override
	public ServletOutputStream getOutputStream() throws IOException {
		return new OutcomeStream(this, super.getOutputStream());
	}

	@Override
	public PrintWriter getWriter() throws IOException {
		return new OutcomeWriter(this, super.getWriter());
	}

	@Override
	public void setContentLength(int length) {
		super.setContentLength(length);
		this.contentLength = OptionalLong.of(length);
	}

	@Override
	public void setContentLengthLong(long length) {
		super.setContentLengthLong(length);
		this.contentLength = OptionalLong.of(length);
	}

	@Override
	public void setHeader(String name, String value) {
		super.setHeader(name, value);
		rememberLength(name, value);
	}

	@Override
	public void addHeader(String name, String value) {
		super.addHeader(name, value);
		rememberLength(name, value);
	}

	@Override
	public void setIntHeader(String name, int value) {
		super.setIntHeader(name, value);
		rememberLength(name, Integer.toString(value));
	}

	@Override
	public void addIntHeader(String name, int value) {
		super.addIntHeader(name, value);
		rememberLength(name, Integer.toString(value));
	}

	private void rememberLength(String name, @Nullable String value) {
		if (CONTENT_LENGTH.equalsIgnoreCase(name) && value != null && NUMBER.matcher(value).matches()) {
			this.contentLength = OptionalLong.of(Long.parseLong(value));
		}
	}

	@Override
	public void flushBuffer() throws IOException {
		willCommit();
		super.flushBuffer();
	}

	@Override
	public void reset() {
		super.reset();
		this.statusSet = 0;
		this.bufferedBytes = 0;
		this.contentLength = OptionalLong.empty();
	}

	@Override
	public void resetBuffer() {
		super.resetBuffer();
		this.bufferedBytes = 0;
	}

}

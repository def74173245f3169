package dev.ratelimit.web;

import java.util.OptionalInt;

import dev.ratelimit.rule.CountOn;

import org.springframework.http.HttpStatus;

/**
 * How one request ends. The status that is sent is not all of it: a client can choose
 * some statuses after a handler has done its work, and that work must not be free then.
 * Written on a thread of the request, read on the one that sends the response.
 */
public final class RequestOutcome {

	private volatile boolean refusedAuthentication;

	private volatile boolean handlerStarted;

	private volatile boolean unknown;

	private volatile boolean passedSecurity;

	private volatile OptionalInt unwritten = OptionalInt.empty();

	private volatile OptionalInt returned = OptionalInt.empty();

	private volatile OptionalInt threw = OptionalInt.empty();

	/**
	 * Whether a rule counts the request.
	 * @param countOn what it counts
	 * @param status the status that is sent
	 * @return whether any part of the outcome counts, or there is none
	 */
	boolean counts(CountOn countOn, int status) {
		return this.unknown || (this.handlerStarted && isChosenByClients(status))
				|| countOn.counts(status, this.refusedAuthentication) || (this.passedSecurity && countOn.counts(status))
				|| (this.unwritten.isPresent() && countOn.counts(this.unwritten.getAsInt()));
	}

	/**
	 * By {@code Accept}, {@code Range}, {@code If-Match} or {@code If-Unmodified-Since}.
	 */
	private static boolean isChosenByClients(int status) {
		return status == HttpStatus.NOT_ACCEPTABLE.value() || status == HttpStatus.PRECONDITION_FAILED.value()
				|| status == HttpStatus.REQUESTED_RANGE_NOT_SATISFIABLE.value();
	}

	/**
	 * The status will say nothing about the outcome: the client has left while a handler
	 * works.
	 */
	public void becomeUnknown() {
		this.unknown = true;
	}

	/**
	 * Spring Security has refused an authentication, which is a failure, whatever its
	 * status.
	 */
	public void refusedAuthentication() {
		this.refusedAuthentication = true;
	}

	/**
	 * The request has reached its own handler, and not one that it was forwarded to: a
	 * refused authentication has not ended it.
	 */
	public void passedSecurity() {
		this.passedSecurity = true;
	}

	/** A handler starts to run. */
	void handlerStarts() {
		this.handlerStarted = true;
	}

	/**
	 * Whether a handler has run.
	 * @return whether one has started to run
	 */
	public boolean hasHandlerStarted() {
		return this.handlerStarted;
	}

	/**
	 * The handler has returned, and its view is still to be written.
	 * @param status the status so far
	 */
	public void handlerReturned(int status) {
		this.returned = OptionalInt.of(status);
	}

	/**
	 * The handler has thrown an exception, or its result cannot be written.
	 * @param status the status so far
	 */
	public void handlerThrew(int status) {
		this.threw = OptionalInt.of(status);
	}

	/**
	 * The result of a handler or an exception handler cannot be written. The status of
	 * that result counts, too.
	 * @param status the status of the result
	 */
	public void notWritten(int status) {
		if (this.unwritten.isEmpty()) {
			this.unwritten = OptionalInt.of(status);
		}
	}

	/**
	 * A status was replaced by another one. If an exception handler has set it, its
	 * result could not be written.
	 * @param status the status that was set
	 */
	public void replaced(int status) {
		if (this.threw.isPresent() && this.threw.getAsInt() != status) {
			notWritten(status);
		}
	}

	/** The request has ended with an exception, perhaps one of its view. */
	public void failed() {
		this.returned.ifPresent(this::notWritten);
	}

}

package dev.ratelimit.web;

import java.util.OptionalInt;

import dev.ratelimit.rule.CountOn;

import org.springframework.http.HttpStatus;

/**
 * How one request ends. The status that is sent is not all of it: a client can choose
 * some statuses after a handler has done its work, and that work must not be free then.
 * Written on a thread of the request, read on the one that sends the response. Tested by
 * {@code OutcomeHandlersTests}.
 */
public final class RequestOutcome {

	private volatile boolean refusedAuthentication;

	private volatile boolean handlerStarted;

	private volatile boolean unknown;

	private volatile boolean passedSecurity;

	private volatile OptionalInt unwritten = OptionalInt.empty();

	private volatile OptionalInt ofView = OptionalInt.empty();

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
				|| counts(countOn, this.unwritten)
				|| (status >= HttpStatus.INTERNAL_SERVER_ERROR.value() && counts(countOn, this.ofView));
	}

	private static boolean counts(CountOn countOn, OptionalInt status) {
		return status.isPresent() && countOn.counts(status.getAsInt());
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

	boolean isAuthenticationRefused() {
		return this.refusedAuthentication;
	}

	/**
	 * The request has reached its own handler, and not one that it was forwarded to, or
	 * has passed Spring Security on its way to another servlet: a refused authentication
	 * has not ended it.
	 */
	public void passedSecurity() {
		this.passedSecurity = true;
	}

	/** A handler starts to run. */
	void handlerStarts() {
		this.handlerStarted = true;
	}

	/**
	 * The handler has returned, and its view is about to be written.
	 * @param status the status so far, which counts if the view fails
	 */
	public void viewBegins(int status) {
		this.ofView = OptionalInt.of(status);
	}

	/** The view, if there was one, has been written. */
	public void viewEnds() {
		this.ofView = OptionalInt.empty();
	}

	/**
	 * An exception was thrown.
	 * @param status the status so far
	 * @param byWriter whether the result of a handler cannot be written; its status
	 * counts, too
	 */
	public void threw(int status, boolean byWriter) {
		this.ofView = OptionalInt.empty();
		if (this.threw.isEmpty()) {
			this.threw = OptionalInt.of(status);
		}
		if (byWriter && this.handlerStarted) {
			notWritten(status);
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

	private void notWritten(int status) {
		if (this.unwritten.isEmpty()) {
			this.unwritten = OptionalInt.of(status);
		}
	}

}

package dev.ratelimit.web.servlet.outcome;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/**
 * Reports the outcome of asynchronous work that completes without a dispatch, or that is
 * not completed in time. A dispatch passes the filter, which is earlier: Tomcat reports
 * its completion only after the response is gone.
 *
 * @param response the response to the work
 */
record CompletionListener(OutcomeResponse response) implements AsyncListener {

	@Override
	public void onComplete(AsyncEvent event) {
		this.response.willCommit();
	}

	/** Completion follows. */
	@Override
	public void onTimeout(AsyncEvent event) {
	}

	/**
	 * Completion follows, perhaps by a dispatch whose status says nothing about the work.
	 */
	@Override
	public void onError(AsyncEvent event) {
		this.response.clientLeft();
	}

	/** Work is started again in a dispatch, where the filter adds a new listener. */
	@Override
	public void onStartAsync(AsyncEvent event) {
	}

}

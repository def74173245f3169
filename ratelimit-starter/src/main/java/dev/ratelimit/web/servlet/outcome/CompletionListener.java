package dev.ratelimit.web.servlet.outcome;

import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;

/**
 * Asynchronous work that completes without ever being dispatched, or that nobody
 * completes in time, has an outcome too. A dispatch passes the filter, which is earlier:
 * Tomcat reports its completion only when the response is gone.
 *
 * @param response what it came to
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

	/** Completion follows. */
	@Override
	public void onError(AsyncEvent event) {
	}

	/** Work is started again in a dispatch, where the filter listens again. */
	@Override
	public void onStartAsync(AsyncEvent event) {
	}

}

package dev.ratelimit.web.servlet;

import java.io.IOException;

import dev.ratelimit.support.WaitBudget;
import dev.ratelimit.web.EnqueueOutcome;
import dev.ratelimit.web.RequestAction.TryEnqueue;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Enqueues requests for which a rule has no permits.
 */
public interface RequestEnqueuer {

	/**
	 * Whether a request may be enqueued.
	 * @param request the request
	 * @return whether it uses a registered method that is not safe, is not part of
	 * another request, and does not come from a page that the application does not allow
	 * to send it
	 */
	boolean accepts(HttpServletRequest request);

	/**
	 * Enqueue a request.
	 * @param attempt the rule that has no permits for it, and its path
	 * @param request the request
	 * @param budget how long it may still wait
	 * @return the result
	 * @throws IOException if the client does not send its body
	 */
	Enqueued enqueue(TryEnqueue attempt, HttpServletRequest request, WaitBudget budget) throws IOException;

	/**
	 * Respond to a request that is enqueued, or is too large for it. If the store has not
	 * confirmed that it is enqueued, only say where its state is: it is refused. All
	 * others are refused without a word of the queue.
	 * @param enqueued the result
	 * @param attempt the rule, and the path of the request
	 * @param request the request
	 * @param response the response, not yet committed
	 * @throws IOException if the response cannot be written
	 */
	void respond(Enqueued enqueued, TryEnqueue attempt, HttpServletRequest request, HttpServletResponse response)
			throws IOException;

	/**
	 * The result of trying to enqueue a request.
	 *
	 * @param outcome the outcome
	 * @param rule the rule that was to enqueue it
	 * @param id the id it has, or would have had
	 */
	record Enqueued(EnqueueOutcome outcome, String rule, String id) {
	}

}

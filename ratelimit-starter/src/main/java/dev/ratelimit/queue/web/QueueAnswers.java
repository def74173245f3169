package dev.ratelimit.queue.web;

import java.io.IOException;

import dev.ratelimit.queue.ItemState;
import dev.ratelimit.queue.ItemState.Progress;
import dev.ratelimit.web.servlet.CorsRequests;
import dev.ratelimit.web.servlet.PlainResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;

import static java.util.Locale.ROOT;

/**
 * Writes the responses to clients of queued requests. Every character of the bodies is
 * under our control, so they need no JSON library.
 */
public final class QueueAnswers {

	static final String JSON = "application/json";

	static final String PROBLEM = "application/problem+json";

	private final String statePath;

	/**
	 * Create the responses.
	 * @param statePath the path within the application under which states are served,
	 * without a slash at its end
	 */
	public QueueAnswers(String statePath) {
		this.statePath = statePath;
	}

	/**
	 * Report that a request is enqueued: 202, with the location of its state.
	 * @param request the request
	 * @param response the response, not yet committed
	 * @param path the path of the request within the application
	 * @param rule the rule that enqueued it
	 * @param id its id
	 * @throws IOException if the response cannot be written
	 */
	void accepted(HttpServletRequest request, HttpServletResponse response, String path, String rule, String id)
			throws IOException {
		locate(request, response, path, rule, id);
		PlainResponse.write(response, HttpServletResponse.SC_ACCEPTED, JSON,
				state(rule, id, new ItemState(Progress.QUEUED, 0)));
	}

	/**
	 * Set {@code Location} to the location of a request's state. This includes a request
	 * that is refused because the store has not confirmed it, as it may be enqueued all
	 * the same.
	 * @param request the request
	 * @param response the response, not yet committed
	 * @param path the path of the request within the application
	 * @param rule the rule that was to enqueue it
	 * @param id its id
	 */
	void locate(HttpServletRequest request, HttpServletResponse response, String path, String rule, String id) {
		response.setHeader(HttpHeaders.LOCATION, prefix(request, path) + this.statePath + "/" + rule + "/" + id);
		CorsRequests.expose(request, response, HttpHeaders.LOCATION);
	}

	/** The part before the path within the application, as the client wrote it. */
	private static String prefix(HttpServletRequest request, String path) {
		String uri = request.getRequestURI();
		return uri.endsWith(path) ? uri.substring(0, uri.length() - path.length()) : request.getContextPath();
	}

	/**
	 * Report that the body is too large to be stored: 413.
	 * @param response the response, not yet committed
	 * @throws IOException if the response cannot be written
	 */
	static void tooLarge(HttpServletResponse response) throws IOException {
		PlainResponse.write(response, HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE, PROBLEM,
				"{\"type\":\"about:blank\",\"title\":\"Content Too Large\",\"status\":413,"
						+ "\"detail\":\"The limit is reached, and the body is too large to be enqueued\"}");
	}

	static String state(String rule, String id, ItemState state) {
		return "{\"id\":\"%s\",\"rule\":\"%s\",\"state\":\"%s\",\"attempts\":%d}".formatted(id, rule,
				state.progress().name().toLowerCase(ROOT), state.attempts());
	}

}

package dev.ratelimit.queue.web;

import java.io.IOException;

import dev.ratelimit.queue.ItemState;
import dev.ratelimit.queue.ItemState.Progress;
import dev.ratelimit.web.servlet.CorsRequests;
import dev.ratelimit.web.servlet.PageAccess;
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

	private final PageAccess access;

	/**
	 * Create the responses.
	 * @param statePath the path within the application under which states are served,
	 * without a slash at its end
	 * @param access lets pages of other origins read a response
	 */
	public QueueAnswers(String statePath, PageAccess access) {
		this.statePath = statePath;
		this.access = access;
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
		if (!this.access.letsRead(request, response)) {
			return;
		}
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
	 * @param request the request
	 * @param response the response, not yet committed
	 * @throws IOException if the response cannot be written
	 */
	void tooLarge(HttpServletRequest request, HttpServletResponse response) throws IOException {
		if (this.access.letsRead(request, response)) {
			PlainResponse.write(response, HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE, PROBLEM,
					"{\"type\":\"about:blank\",\"title\":\"Content Too Large\",\"status\":413,"
							+ "\"detail\":\"The limit is reached, and the body is too large to be enqueued\"}");
		}
	}

	/**
	 * Whether the application would let the page send this request: if not, it is not
	 * enqueued.
	 * @param request the request
	 * @return whether it is no CORS request, or one of an origin that is allowed
	 */
	boolean allows(HttpServletRequest request) {
		return this.access.allows(request);
	}

	static String state(String rule, String id, ItemState state) {
		return "{\"id\":\"%s\",\"rule\":\"%s\",\"state\":\"%s\",\"attempts\":%d}".formatted(id, rule,
				state.progress().name().toLowerCase(ROOT), state.attempts());
	}

}

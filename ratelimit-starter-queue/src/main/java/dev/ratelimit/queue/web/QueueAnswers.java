package dev.ratelimit.queue.web;

import dev.ratelimit.queue.ItemState;
import dev.ratelimit.queue.ItemState.Progress;
import dev.ratelimit.spi.LaterHandler.Answer;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import static java.util.Locale.ROOT;

/**
 * The responses to clients of queued requests. Every character of the bodies is under our
 * control, so they need no JSON library.
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

	/** Reports that a request is enqueued. */
	static Answer accepted(String rule, String id) {
		return new Answer(HttpServletResponse.SC_ACCEPTED, JSON, state(rule, id, new ItemState(Progress.QUEUED, 0)));
	}

	/** The path of a request's state, as its client reaches it. */
	String location(HttpServletRequest request, String path, String rule, String id) {
		return prefix(request, path) + this.statePath + "/" + rule + "/" + id;
	}

	/** The part before the path within the application, as the client wrote it. */
	private static String prefix(HttpServletRequest request, String path) {
		String uri = request.getRequestURI();
		return uri.endsWith(path) ? uri.substring(0, uri.length() - path.length()) : request.getContextPath();
	}

	/** Reports that the body is too large to be stored. */
	static Answer tooLarge() {
		return new Answer(HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE, PROBLEM,
				"{\"type\":\"about:blank\",\"title\":\"Content Too Large\",\"status\":413,"
						+ "\"detail\":\"The limit is reached, and the body is too large to be enqueued\"}");
	}

	static String state(String rule, String id, ItemState state) {
		return "{\"id\":\"%s\",\"rule\":\"%s\",\"state\":\"%s\",\"attempts\":%d}".formatted(id, rule,
				state.progress().name().toLowerCase(ROOT), state.attempts());
	}

}

package dev.ratelimit.queue.web;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

import dev.ratelimit.queue.ItemState;
import dev.ratelimit.queue.ItemState.Progress;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.web.cors.CorsUtils;

import static java.util.Locale.ROOT;

/**
 * What clients hear of requests that were kept. Every character of the bodies is ours, so
 * they need no JSON library.
 */
public final class QueueAnswers {

	static final String JSON = "application/json";

	static final String PROBLEM = "application/problem+json";

	private final String statePath;

	private final PageAccess access;

	/**
	 * Create answers.
	 * @param statePath the path within the application under which states are told,
	 * without a slash at its end
	 * @param access lets pages of other origins read an answer
	 */
	public QueueAnswers(String statePath, PageAccess access) {
		this.statePath = statePath;
		this.access = access;
	}

	/**
	 * Tell that a request is kept: 202, with the place where its state is told.
	 * @param request the request
	 * @param response the response, not yet committed
	 * @param path the path of the request within the application
	 * @param rule the rule that keeps it
	 * @param id its id
	 * @throws IOException if the answer cannot be written
	 */
	public void accepted(HttpServletRequest request, HttpServletResponse response, String path, String rule, String id)
			throws IOException {
		if (!this.access.letsRead(request, response)) {
			return;
		}
		locate(request, response, path, rule, id);
		write(response, HttpServletResponse.SC_ACCEPTED, JSON, state(rule, id, new ItemState(Progress.QUEUED, 0)));
	}

	/**
	 * Tell where the state of a request is told, in {@code Location}: also of one that is
	 * refused because the store has not said that it is kept, as it may be all the same.
	 * @param request the request
	 * @param response the response, not yet committed
	 * @param path the path of the request within the application
	 * @param rule the rule that was to keep it
	 * @param id its id
	 */
	public void locate(HttpServletRequest request, HttpServletResponse response, String path, String rule, String id) {
		response.setHeader(HttpHeaders.LOCATION, prefix(request, path) + this.statePath + "/" + rule + "/" + id);
		if (CorsUtils.isCorsRequest(request)) {
			response.addHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, HttpHeaders.LOCATION);
		}
	}

	/** What comes before the path within the application, as the client wrote it. */
	private static String prefix(HttpServletRequest request, String path) {
		String uri = request.getRequestURI();
		return uri.endsWith(path) ? uri.substring(0, uri.length() - path.length()) : request.getContextPath();
	}

	/**
	 * Tell that the body is too large to be kept: 413.
	 * @param request the request
	 * @param response the response, not yet committed
	 * @throws IOException if the answer cannot be written
	 */
	public void tooLarge(HttpServletRequest request, HttpServletResponse response) throws IOException {
		if (this.access.letsRead(request, response)) {
			write(response, HttpServletResponse.SC_REQUEST_ENTITY_TOO_LARGE, PROBLEM,
					"{\"type\":\"about:blank\",\"title\":\"Content Too Large\",\"status\":413,"
							+ "\"detail\":\"The limit is reached, and the body is too large to be kept for later\"}");
		}
	}

	/**
	 * Write an answer, also where a filter in front of ours has asked for the writer.
	 * @param response the response, not yet committed
	 * @param status its status
	 * @param type its content type
	 * @param text its body, in ASCII
	 * @throws IOException if it cannot be written
	 */
	public static void write(HttpServletResponse response, int status, String type, String text) throws IOException {
		response.setStatus(status);
		response.setContentType(type);
		ServletOutputStream out;
		try {
			out = response.getOutputStream();
		}
		catch (IllegalStateException ex) {
			// Of stream and writer a response has one.
			response.getWriter().write(text);
			return;
		}
		response.setContentLength(text.length());
		out.write(text.getBytes(StandardCharsets.US_ASCII));
	}

	/**
	 * Whether the application would let the page ask this: if not, nothing is kept of it.
	 * @param request the request
	 * @return whether it is no CORS request, or one of an origin that is allowed
	 */
	boolean allows(HttpServletRequest request) {
		return this.access.allows(request);
	}

	/** What pages of other origins may ask, and read. */
	public interface PageAccess {

		/**
		 * Whether the application lets a page ask this.
		 * @param request the request
		 * @return whether it is no CORS request, or one that is allowed
		 */
		boolean allows(HttpServletRequest request);

		/**
		 * Set what a page needs to read the answer to a CORS request.
		 * @param request the request
		 * @param response the response
		 * @return whether it is still to be answered
		 * @throws IOException if it cannot be answered
		 */
		boolean letsRead(HttpServletRequest request, HttpServletResponse response) throws IOException;

	}

	static String state(String rule, String id, ItemState state) {
		return "{\"id\":\"%s\",\"rule\":\"%s\",\"state\":\"%s\",\"attempts\":%d}".formatted(id, rule,
				state.progress().name().toLowerCase(ROOT), state.attempts());
	}

}

package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;

import dev.ratelimit.RateLimitDecision;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

/**
 * Responds to a refused request. A bean of this type replaces the problem details that
 * the limiter writes. Rules that define another response ({@code refusal.*}) stop the
 * start then, and do not come into force later. It is called on the thread of the
 * request, by several threads at once, so it must be safe for concurrent use.
 */
@FunctionalInterface
public interface RateLimitRejectionHandler {

	/**
	 * Write the response. The rate limit headers and {@code Cache-Control: no-store} are
	 * set already; the handler sets the status.
	 * @param request the request; its controller will not run, or has thrown a
	 * {@link dev.ratelimit.RateLimitExceededException}
	 * @param response the response, not yet committed
	 * @param refusals the decisions that refused; empty if the request lacks a key that a
	 * rule requires
	 * @throws IOException if the response cannot be written
	 */
	void handle(HttpServletRequest request, HttpServletResponse response, List<RateLimitDecision> refusals)
			throws IOException;

}

package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.List;

import dev.ratelimit.web.RateLimitHeaders;
import dev.ratelimit.web.ReportedDecision;
import dev.ratelimit.web.RequestAction.Refuse;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;

/**
 * Writes decisions to responses. Tested by {@code RateLimitFilterTests}.
 *
 * @param headers writes the headers
 * @param rejectionHandler responds to refused requests
 */
record DecisionResponses(RateLimitHeaders headers, CorsRejectionHandler rejectionHandler) {

	/** Write the response to a refused request; it is not cached. */
	void refuse(Refuse refusal, HttpServletRequest request, HttpServletResponse response) throws IOException {
		if (request.getDispatcherType() == DispatcherType.ASYNC && !response.isCommitted()) {
			// What dispatched the request may have written before.
			response.resetBuffer();
		}
		writeHeaders(refusal.reported(), request, response);
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		this.rejectionHandler.handle(request, response, refusal.refusals());
	}

	void writeHeaders(List<ReportedDecision> reported, HttpServletRequest request, HttpServletResponse response) {
		this.headers.write(reported, response::setHeader);
		CorsRequests.expose(request, response, this.headers.exposed());
	}

}

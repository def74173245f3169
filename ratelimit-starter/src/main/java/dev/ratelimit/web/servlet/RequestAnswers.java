package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.limiter.Permit;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.web.Answered;
import dev.ratelimit.web.PolicyField;
import dev.ratelimit.web.RateLimitHeaders;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;

import org.springframework.http.HttpHeaders;
import org.springframework.web.cors.CorsUtils;

/**
 * Writes decisions to responses, and releases the permits of refused requests.
 */
final class RequestAnswers {

	private final RequestLimiter limiter;

	private final RateLimitHeaders headers;

	private final RateLimitRejectionHandler rejectionHandler;

	RequestAnswers(RequestLimiter limiter, RateLimitHeaders headers, RateLimitRejectionHandler rejectionHandler) {
		this.limiter = limiter;
		this.headers = headers;
		this.rejectionHandler = rejectionHandler;
	}

	void writeHeaders(RateLimitContext state, HttpServletRequest request, HttpServletResponse response) {
		write(request, response, state.answered());
	}

	/**
	 * Refuse a request: no permit stays acquired, and the response is not cached. An
	 * include has no response of its own, so it is left out.
	 */
	void refuse(RateLimitContext state, HttpServletRequest request, HttpServletResponse response,
			List<RateLimitDecision> refusals) throws IOException {
		release(state, state.takePermits());
		if (request.getDispatcherType() == DispatcherType.INCLUDE) {
			return;
		}
		answer(request, response, state.answered(), refusals);
	}

	/**
	 * Refuse a request that may wait no longer; an include has no response here either.
	 */
	void sendAway(RateLimitContext state, HttpServletRequest request, HttpServletResponse response,
			List<RateLimitDecision> refusals) throws IOException {
		release(state, state.takePermits());
		if (request.getDispatcherType() != DispatcherType.INCLUDE) {
			answer(request, response, refusals);
		}
	}

	/**
	 * Write the response to a request that is refused apart from the decisions so far.
	 */
	void answer(HttpServletRequest request, HttpServletResponse response, List<RateLimitDecision> refusals)
			throws IOException {
		List<Answered> answered = new ArrayList<>();
		RateLimitContext.find(request).ifPresent((state) -> answered.addAll(state.answered()));
		refusals.forEach((refusal) -> answered.add(new Answered(PolicyField.of(refusal), refusal, 1)));
		answer(request, response, answered, refusals);
	}

	private void answer(HttpServletRequest request, HttpServletResponse response, List<Answered> answered,
			List<RateLimitDecision> refusals) throws IOException {
		write(request, response, answered);
		response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
		this.rejectionHandler.handle(request, response, refusals);
	}

	private void write(HttpServletRequest request, HttpServletResponse response, List<Answered> answered) {
		this.headers.write(answered, response::setHeader);
		expose(request, response, this.headers.exposed());
	}

	/** Expose headers once, in addition to those that the application exposes. */
	static void expose(HttpServletRequest request, HttpServletResponse response, String names) {
		if (CorsUtils.isCorsRequest(request)
				&& !response.getHeaders(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS).contains(names)) {
			response.addHeader(HttpHeaders.ACCESS_CONTROL_EXPOSE_HEADERS, names);
		}
	}

	void release(RateLimitContext state, List<Permit> permits) {
		if (!permits.isEmpty()) {
			this.limiter.release(permits, state.budget());
		}
	}

}

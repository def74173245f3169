package dev.ratelimit.web.servlet;

import java.util.Optional;

import dev.ratelimit.web.RateLimitContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;

/**
 * Stores the state of a request in one of its attributes, over all dispatches. Tested by
 * {@code DispatchTests}.
 */
final class StoredContext {

	private static final String ATTRIBUTE = RateLimitContext.class.getName();

	private static final String BEGUN_BY_FORWARD = ATTRIBUTE + ".BEGUN_BY_FORWARD";

	private StoredContext() {
	}

	/** The state of a request that passed a filter. */
	static Optional<RateLimitContext> find(HttpServletRequest request) {
		return (request.getAttribute(ATTRIBUTE) instanceof RateLimitContext context) ? Optional.of(context)
				: Optional.empty();
	}

	static void store(RateLimitContext context, HttpServletRequest request) {
		request.setAttribute(ATTRIBUTE, context);
		if (request.getDispatcherType() == DispatcherType.FORWARD) {
			request.setAttribute(BEGUN_BY_FORWARD, true);
		}
	}

	/** Whether the request had passed a filter before it was forwarded. */
	static boolean isForwardedLater(HttpServletRequest request) {
		return request.getDispatcherType() == DispatcherType.FORWARD && request.getAttribute(ATTRIBUTE) != null
				&& request.getAttribute(BEGUN_BY_FORWARD) == null;
	}

}

package dev.ratelimit.web.servlet;

import dev.ratelimit.web.RateLimitContext;
import dev.ratelimit.web.RouteTable.Match;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.web.filter.ServerHttpObservationFilter;

/**
 * Sets the {@code uri} of a refused request in Spring's {@code http.server.requests}, as
 * MVC never sees such a request. It is the pattern of the handler that the request would
 * have reached, else that of the rule that refused it, and never text that the client has
 * sent. Without observation, this costs the read of one request attribute. Tested by
 * {@code HttpMetricsTests}.
 */
final class ObservedUri {

	private ObservedUri() {
	}

	static void report(HttpServletRequest request, RateLimitContext state, Match refusing) {
		ServerHttpObservationFilter.findObservationContext(request)
			.ifPresent((context) -> report(context, request, state, refusing));
	}

	private static void report(ServerRequestObservationContext context, HttpServletRequest request,
			RateLimitContext state, Match refusing) {
		if (context.getPathPattern() == null) {
			context.setPathPattern(state.handlerRoutes()
				.uris()
				.find(state.path(), request.getMethod())
				.orElseGet(() -> refusing.pattern().getPatternString()));
		}
	}

}

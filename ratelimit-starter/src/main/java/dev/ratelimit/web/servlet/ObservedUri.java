package dev.ratelimit.web.servlet;

import java.util.List;

import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.web.RouteTable.Match;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.web.filter.ServerHttpObservationFilter;

/**
 * Sets the {@code uri} of a refused request in Spring's {@code http.server.requests}, as
 * MVC never sees such a request. It is the pattern of the handler that the request would
 * have reached, else that of the rule that refused it, and never text that the client has
 * sent. Without observation, this costs the read of one request attribute.
 */
final class ObservedUri {

	private ObservedUri() {
	}

	static void report(HttpServletRequest request, RateLimitContext state, Match refusing) {
		ServerHttpObservationFilter.findObservationContext(request)
			.ifPresent((context) -> report(context, request, state, refusing));
	}

	static void report(HttpServletRequest request, RateLimitContext state, List<Match> matches,
			RequestDecision refused) {
		ServerHttpObservationFilter.findObservationContext(request)
			.ifPresent((context) -> matches.stream()
				.filter((match) -> refuses(refused, match))
				.findFirst()
				.ifPresent((match) -> report(context, request, state, match)));
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

	private static boolean refuses(RequestDecision verdict, Match match) {
		for (RuleDecision decided : verdict.decided()) {
			if (decided.refuses() && decided.ruleRequest().rule() == match.route().rule()) {
				return true;
			}
		}
		return false;
	}

}

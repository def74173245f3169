package dev.ratelimit.web.servlet;

import java.util.List;

import dev.ratelimit.web.NormalPath;
import dev.ratelimit.web.RateLimitContext;
import dev.ratelimit.web.RouteTable.Match;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.http.server.PathContainer;
import org.springframework.web.servlet.function.HandlerFunction;
import org.springframework.web.servlet.resource.DefaultServletHttpRequestHandler;
import org.springframework.web.servlet.resource.ResourceHttpRequestHandler;

/**
 * Checks the path that a handler of resources looks up. MVC finds such a handler by a
 * pattern that ends in two asterisks, and the handler cleans the path once more, so other
 * rules may cover the path it serves than the path that was matched. A function of
 * resources has no pattern for the whole path: it has none, or the one that it is nested
 * under. Tested by {@code HandlerCheckTests}.
 */
final class ResourceLookup {

	private ResourceLookup() {
	}

	/**
	 * Whether a handler would look up another path than the one that was matched, and
	 * rules cover it. Rules in shadow refuse nothing, including this.
	 * @param path the path that MVC matched
	 * @param handler the handler that MVC chose
	 * @param context the decisions so far
	 * @param request the request
	 * @return whether the request must not reach the handler
	 */
	static boolean bypassesRules(PathContainer path, Object handler, RateLimitContext context,
			HttpServletRequest request) {
		boolean isFunction = handler instanceof HandlerFunction;
		if (!isFunction && !(handler instanceof ResourceHttpRequestHandler)
				&& !(handler instanceof DefaultServletHttpRequestHandler)) {
			return false;
		}
		boolean isNormal = NormalPath.is(path);
		if (isNormal && !NormalPath.endsInSlash(path)) {
			return false;
		}
		List<Match> covering = context.routes()
			.covering(NormalPath.of(path), request.getMethod())
			.stream()
			.filter((match) -> !match.route().rule().config().enforcement().shadow())
			.toList();
		if (isNormal || isFunction) {
			// A page may be published with a slash, and a function may look up nothing.
			return covering.stream().anyMatch((match) -> !context.isDecided(match.route()))
					&& !(isFunction && context.routes().matches(HandlerCheck.pattern(request), path));
		}
		return !covering.isEmpty();
	}

}

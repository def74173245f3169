package dev.ratelimit.web;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.web.RouteTable.Match;

import org.springframework.web.method.HandlerMethod;

/**
 * One rule set in its HTTP form. A request is decided by one of these, from its first
 * filter to its handler, even if another rule set comes into force meanwhile. Tested by
 * {@code OpenApiTests}.
 *
 * @param byPath the rules selected by path
 * @param byHandler the rules that handlers name
 */
public record Routes(RouteTable byPath, HandlerRoutes byHandler) {

	/**
	 * What the rules need of requests.
	 * @return the needs of all of them
	 */
	public RequestNeeds needs() {
		return this.byPath.needs();
	}

	/**
	 * The rules by which requests to a handler may be refused.
	 * @param pattern the pattern of the handler
	 * @param method a method that it takes
	 * @param handlers the handlers of these requests, which may name rules
	 * @return each rule once; none in shadow
	 */
	public List<CompiledRule> enforced(String pattern, String method, List<HandlerMethod> handlers) {
		if (this.byPath.isExemptHandler(pattern)) {
			return List.of();
		}
		Stream<Match> covering = this.byPath.coveringHandler(pattern)
			.stream()
			.filter((match) -> this.byPath.coversMethod(match.route().rule().config(), method));
		Stream<Match> named = handlers.stream().flatMap((handler) -> this.byHandler.find(handler).stream());
		return Stream.concat(covering, named)
			.map((match) -> match.route().rule())
			.filter((rule) -> !rule.config().enforcement().shadow())
			.distinct()
			.toList();
	}

}

package dev.ratelimit.web;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.web.RouteTable.Match;
import dev.ratelimit.web.key.RequestBeans;

import org.springframework.web.method.HandlerMethod;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The rules that MVC handlers name, compiled when the application starts. Tested by
 * {@code AnnotatedHandlerTests}.
 */
public final class HandlerRoutes {

	private static final Pattern VARIABLE = Pattern.compile("\\{\\*?([^}:]+)(?::[^}]*)?}");

	/** By class, method and pattern. */
	private final Map<Class<?>, Map<Method, Map<String, List<Match>>>> routes = new HashMap<>();

	private final RequestBeans beans;

	private final SubjectEncoder subjects;

	private final LongSupplier nanoTime;

	/**
	 * Create the routes; there are none yet.
	 * @param beans finds the beans that rules name
	 * @param subjects encodes keys
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public HandlerRoutes(RequestBeans beans, SubjectEncoder subjects, LongSupplier nanoTime) {
		this.beans = beans;
		this.subjects = subjects;
		this.nanoTime = nanoTime;
	}

	/**
	 * Register a rule that a handler names. To be called while the application starts.
	 * @param handler the handler
	 * @param patterns the patterns of its paths
	 * @param rule the rule
	 * @param cost what a request costs there
	 * @param when whether the rule applies there
	 * @throws dev.ratelimit.rule.InvalidRuleException if the rule does not fit the
	 * handler, for example because it counts by a variable that the path does not have
	 */
	public void add(HandlerMethod handler, Collection<PathPattern> patterns, CompiledRule rule, Cost cost,
			Condition when) {
		RLConfig config = rule.config().at(patterns.stream().map(HandlerRoutes::variables).toList(), cost, when);
		Route route = new Route(rule, config, this.beans, this.subjects, this.nanoTime);
		Map<String, List<Match>> byPattern = this.routes
			.computeIfAbsent(handler.getBeanType(), (type) -> new HashMap<>())
			.computeIfAbsent(handler.getMethod(), (method) -> new HashMap<>());
		for (PathPattern pattern : patterns) {
			byPattern.computeIfAbsent(pattern.getPatternString(), (text) -> new ArrayList<>())
				.add(new Match(route, pattern, Map.of()));
		}
	}

	/** A path with the variables of a pattern, which is all that a rule needs here. */
	private static String variables(PathPattern pattern) {
		StringBuilder path = new StringBuilder();
		VARIABLE.matcher(pattern.getPatternString())
			.results()
			.forEach((variable) -> path.append("/{" + variable.group(1) + "}"));
		return path.isEmpty() ? "/" : path.toString();
	}

	/**
	 * Find the rules that a handler names, whichever of its patterns matches.
	 * @param handler the handler
	 * @return the rules; none if it names none
	 */
	public List<Match> find(HandlerMethod handler) {
		return this.routes.getOrDefault(handler.getBeanType(), Map.of())
			.getOrDefault(handler.getMethod(), Map.of())
			.values()
			.stream()
			.findFirst()
			.orElse(List.of());
	}

	/**
	 * Find the rules that a handler names.
	 * @param handler the handler of a request
	 * @param pattern its pattern that matched
	 * @return the rules; none if it names none
	 */
	public List<Match> find(Object handler, String pattern) {
		if (this.routes.isEmpty() || !(handler instanceof HandlerMethod method)) {
			return List.of();
		}
		return this.routes.getOrDefault(method.getBeanType(), Map.of())
			.getOrDefault(method.getMethod(), Map.of())
			.getOrDefault(pattern, List.of());
	}

}

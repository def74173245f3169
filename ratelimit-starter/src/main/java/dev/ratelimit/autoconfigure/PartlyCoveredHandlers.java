package dev.ratelimit.autoconfigure;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.ratelimit.rule.CoveredRequests;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.web.RouteTable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/**
 * The handlers of controllers that take more methods than a rule over their paths lists.
 * The methods that other handlers take are not known.
 */
final class PartlyCoveredHandlers {

	private static final Logger logger = LoggerFactory.getLogger(PartlyCoveredHandlers.class);

	private static final int MOST_NAMED = 10;

	private PartlyCoveredHandlers() {
	}

	/**
	 * Log the rules that cover such handlers, one line each.
	 * @param mappings the handlers
	 * @param routes the rules
	 */
	static void log(Collection<RequestMappingHandlerMapping> mappings, RouteTable routes) {
		Map<String, Set<String>> byRule = new TreeMap<>();
		mappings.forEach((mapping) -> mapping.getHandlerMethods().forEach((info, handler) -> {
			Set<String> methods = AnnotatedHandlers.methods(info);
			if (methods.size() == 1 || isOfSpring(handler)) {
				return;
			}
			AnnotatedHandlers.patterns(info)
				.stream()
				.flatMap((pattern) -> routes.coveringHandler(pattern.getPatternString()).stream())
				.map((match) -> match.route().rule().config())
				.filter((rule) -> coversInPart(rule, methods))
				.forEach((rule) -> byRule
					.computeIfAbsent("Rule '%s' covers only %s".formatted(rule.id(), sorted(rule.requests().methods())),
							(text) -> new TreeSet<>())
					.add(handler.getBeanType().getSimpleName() + "#" + handler.getMethod().getName() + " ("
							+ (methods.isEmpty() ? "every method" : sorted(methods)) + ")"));
		}));
		byRule.forEach((rule, handlers) -> logger.info("{} of these handlers, which take more methods: {}{}", rule,
				handlers.stream().limit(MOST_NAMED).collect(Collectors.joining(", ")),
				(handlers.size() > MOST_NAMED) ? " and " + (handlers.size() - MOST_NAMED) + " more" : ""));
	}

	/** Boot's error page takes every method. */
	private static boolean isOfSpring(HandlerMethod handler) {
		return handler.getBeanType().getName().startsWith("org.springframework.");
	}

	private static boolean coversInPart(RLConfig rule, Set<String> methods) {
		CoveredRequests covered = rule.requests();
		return !covered.methods().isEmpty() && (methods.isEmpty() || (methods.stream().anyMatch(covered::coversMethod)
				&& !methods.stream().allMatch(covered::coversMethod)));
	}

	private static String sorted(Set<String> methods) {
		return String.join(", ", new TreeSet<>(methods));
	}

}

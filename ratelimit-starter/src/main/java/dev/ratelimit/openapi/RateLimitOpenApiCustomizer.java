package dev.ratelimit.openapi;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.rule.Condition;
import dev.ratelimit.rule.RLThreshold;
import dev.ratelimit.web.Routes;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springdoc.core.customizers.GlobalOperationCustomizer;

import org.springframework.core.Ordered;
import org.springframework.web.method.HandlerMethod;

/**
 * Adds the limits to each OpenAPI document that springdoc makes: the responses that a
 * limited operation may have, and the rules that cover it as {@code x-ratelimit}. What
 * the application has documented is never replaced. Its own customizers run later, and
 * may change everything.
 */
public final class RateLimitOpenApiCustomizer implements GlobalOperationCustomizer, GlobalOpenApiCustomizer, Ordered {

	private static final String RULES = "x-ratelimit";

	/**
	 * The handlers of an operation. Only while a document is made: an operation is
	 * customized before its path is known.
	 */
	private static final String HANDLERS = "x-ratelimit-handlers";

	private static final Log logger = LogFactory.getLog(RateLimitOpenApiCustomizer.class);

	private final boolean enabled;

	private final Supplier<Optional<Routes>> routes;

	private final LimitedResponses responses;

	/**
	 * Create a customizer.
	 * @param enabled whether rules are enforced at all
	 * @param routes the rules in force; empty while the application starts
	 * @param responses documents responses
	 */
	public RateLimitOpenApiCustomizer(boolean enabled, Supplier<Optional<Routes>> routes, LimitedResponses responses) {
		this.enabled = enabled;
		this.routes = routes;
		this.responses = responses;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	/** Handlers may share an operation: it is customized for each of them. */
	@Override
	public Operation customize(Operation operation, HandlerMethod handler) {
		if (this.enabled) {
			List<HandlerMethod> handlers = new ArrayList<>(handlers(operation));
			handlers.add(handler);
			extend(operation, HANDLERS, handlers);
		}
		return operation;
	}

	@SuppressWarnings("unchecked")
	private static List<HandlerMethod> handlers(Operation operation) {
		Object handlers = (operation.getExtensions() != null) ? operation.getExtensions().get(HANDLERS) : null;
		return (handlers != null) ? (List<HandlerMethod>) handlers : List.of();
	}

	/** Another customizer may have left a map that cannot be changed. */
	private static void extend(Operation operation, String name, @Nullable Object value) {
		Map<String, Object> extensions = new LinkedHashMap<>();
		if (operation.getExtensions() != null) {
			extensions.putAll(operation.getExtensions());
		}
		extensions.remove(name);
		if (value != null) {
			extensions.put(name, value);
		}
		operation.setExtensions(extensions.isEmpty() ? null : extensions);
	}

	@Override
	public void customise(OpenAPI document) {
		if (!this.enabled || document.getPaths() == null) {
			return;
		}
		Optional<Routes> routes = this.routes.get();
		if (routes.isEmpty()) {
			logger.warn("An OpenAPI document was made before the rate limits were known, so it shows none. Set "
					+ "springdoc.pre-loading-enabled to false, or springdoc.cache.disabled to true.");
		}
		document.getPaths()
			.forEach((path, item) -> item.readOperationsMap()
				.forEach((method, operation) -> customize(operation, path, method, routes, document)));
	}

	private void customize(Operation operation, String path, PathItem.HttpMethod method, Optional<Routes> routes,
			OpenAPI document) {
		List<HandlerMethod> handlers = handlers(operation);
		if (!handlers.isEmpty()) {
			extend(operation, HANDLERS, null);
		}
		List<CompiledRule> rules = routes.map((known) -> known.enforced(path, method.name(), handlers))
			.orElse(List.of());
		if (rules.isEmpty()) {
			return;
		}
		if (document.getComponents() == null) {
			document.setComponents(new Components());
		}
		this.responses.addTo(operation, method.name(), rules, document.getComponents());
		List<Object> described = rules.stream()
			.filter((rule) -> rule.config().requests().when().equals(Condition.ALWAYS))
			.<Object>map(RateLimitOpenApiCustomizer::describe)
			.toList();
		boolean isDescribed = operation.getExtensions() != null && operation.getExtensions().containsKey(RULES);
		if (this.responses.disclosePolicies() && !described.isEmpty() && !isDescribed) {
			extend(operation, RULES, described);
		}
	}

	/** As {@code RateLimit-Policy} has it for a client without a plan. */
	private static Map<String, Object> describe(CompiledRule rule) {
		List<String> names = rule.standard().policies();
		List<Map<String, Object>> policies = new ArrayList<>();
		for (int i = 0; i < names.size(); i++) {
			RLThreshold threshold = rule.standard().thresholds().get(i);
			Map<String, Object> policy = new LinkedHashMap<>();
			policy.put("name", names.get(i));
			policy.put("q", threshold.threshold());
			threshold.window()
				.length()
				.filter((length) -> length.toNanosPart() == 0)
				.ifPresent((length) -> policy.put("w", length.toSeconds()));
			if (threshold.burst() != threshold.threshold()) {
				policy.put("ratelimit-burst", threshold.burst());
			}
			policies.add(policy);
		}
		Map<String, Object> described = new LinkedHashMap<>();
		described.put("rule", rule.id());
		described.put("policies", policies);
		return described;
	}

}

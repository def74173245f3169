package dev.ratelimit.web.servlet;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.ratelimit.rule.KeySource;
import dev.ratelimit.web.key.ClientAddresses;
import dev.ratelimit.web.key.Keys;
import dev.ratelimit.web.key.RequestBeans;
import jakarta.servlet.http.HttpServletRequest;

import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;
import org.springframework.web.servlet.HandlerMapping;

/**
 * The request that the calling thread serves, if it serves one: for calls that do not
 * pass the request on. Tested by {@code AnnotatedBeanTests}.
 */
public final class CurrentRequest {

	private final RequestBeans beans;

	private final ClientAddresses addresses;

	private final LongSupplier nanoTime;

	/**
	 * Create the current request.
	 * @param beans finds the resolver beans
	 * @param addresses finds the client's address
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public CurrentRequest(RequestBeans beans, ClientAddresses addresses, LongSupplier nanoTime) {
		this.beans = beans;
		this.addresses = addresses;
		this.nanoTime = nanoTime;
	}

	/**
	 * Compile a key source.
	 * @param rule the id of the rule
	 * @param source a source of a rule's key
	 * @return supplies its value in the current request; empty if the request has none,
	 * or if there is no request
	 * @throws dev.ratelimit.rule.InvalidRuleException if it names no bean, or is no fact
	 * of a request
	 */
	public Supplier<Optional<String>> resolver(String rule, KeySource source) {
		Keys keys = new Keys(rule, List.of(source), "key", this.beans, this.nanoTime);
		return () -> request().flatMap((request) -> keys.resolve(facts(request), variables(request)))
			.map((values) -> values.get(0));
	}

	private static Optional<HttpServletRequest> request() {
		return (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes attributes)
				? Optional.of(attributes.getRequest()) : Optional.empty();
	}

	private ServletRequestFacts facts(HttpServletRequest request) {
		String path = request.getRequestURI().substring(request.getContextPath().length());
		return new ServletRequestFacts(request, path, this.addresses);
	}

	@SuppressWarnings("unchecked")
	private static Map<String, String> variables(HttpServletRequest request) {
		Object variables = request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE);
		return (variables instanceof Map) ? (Map<String, String>) variables : Map.of();
	}

}

package dev.ratelimit.web.key;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.KeySource;
import dev.ratelimit.web.claim.Claims;

/**
 * The key of one rule, with its sources compiled into resolvers.
 */
public final class Keys {

	private final List<Part> parts;

	/**
	 * Compile the key of a rule.
	 * @param rule the id of the rule
	 * @param sources its key sources
	 * @param property the key of the rule that lists the sources
	 * @param beans finds the resolver beans
	 * @param nanoTime a monotonic clock in nanoseconds
	 * @throws InvalidRuleException if there is no such bean, if a source is no fact of a
	 * request, or if this application cannot read it
	 */
	public Keys(String rule, List<KeySource> sources, String property, RequestBeans beans, LongSupplier nanoTime) {
		this.parts = sources.stream().map((source) -> part(rule, source, property, beans, nanoTime)).toList();
	}

	private static Part part(String rule, KeySource source, String property, RequestBeans beans,
			LongSupplier nanoTime) {
		String name = source.name();
		return switch (source.kind()) {
			case IP -> (request, variables) -> Optional.of(request.address());
			case GLOBAL -> (request, variables) -> Optional.of("");
			case PRINCIPAL -> (request, variables) -> request.principal();
			case SESSION -> (request, variables) -> request.session();
			case HEADER -> (request, variables) -> request.header(name);
			case COOKIE -> (request, variables) -> request.cookie(name);
			case QUERY -> (request, variables) -> request.query(name);
			case PATH ->
				(request, variables) -> Optional.ofNullable(variables.get(name)).filter((value) -> !value.isBlank());
			case CLAIM -> {
				requireClaims(source, property);
				yield (request, variables) -> request.claim(name);
			}
			case BEAN -> {
				KeyResolver resolver = beans.find(property, name, KeyResolver.class);
				BeanFailures failures = new BeanFailures(rule, property, name, "the request counted as one without it",
						beans, nanoTime);
				yield (request, variables) -> {
					try {
						return resolver.resolve(request).filter((value) -> !value.isBlank());
					}
					catch (Exception ex) {
						failures.failed(ex);
						return Optional.empty();
					}
				};
			}
			case ARG -> throw new InvalidRuleException(property, source.toString(),
					"is an argument of a method, which no request has",
					"Count by what a request has, or put the rule on a method of another bean");
		};
	}

	private static void requireClaims(KeySource source, String property) {
		if (!Claims.areReadable()) {
			throw new InvalidRuleException(property, source.toString(),
					"needs Spring Security's OAuth 2 support, which is not on the class path",
					"Add spring-boot-starter-security-oauth2-resource-server, or count by principal");
		}
	}

	/**
	 * Resolve the key of a request.
	 * @param request its facts
	 * @param pathVariables the decoded variables of the rule's path
	 * @return one value per key source; empty if one of them is missing
	 */
	public Optional<List<String>> resolve(RequestFacts request, Map<String, String> pathVariables) {
		if (this.parts.size() == 1) {
			return this.parts.get(0).resolve(request, pathVariables).map(List::of);
		}
		List<String> values = new ArrayList<>(this.parts.size());
		for (Part part : this.parts) {
			Optional<String> value = part.resolve(request, pathVariables);
			if (value.isEmpty()) {
				return Optional.empty();
			}
			values.add(value.get());
		}
		return Optional.of(values);
	}

	@FunctionalInterface
	private interface Part {

		Optional<String> resolve(RequestFacts request, Map<String, String> pathVariables);

	}

}

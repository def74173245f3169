package dev.ratelimit.method;

import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.rule.KeySource;

/**
 * Facts of the HTTP request that the calling thread serves, if it serves one.
 */
@FunctionalInterface
public interface RequestKeys {

	/** For applications without HTTP requests. */
	RequestKeys NONE = (rule, source) -> Optional::empty;

	/**
	 * Compile a key source.
	 * @param rule the id of the rule
	 * @param source a source of a rule's key
	 * @return provides its value in the current request; empty if the request has none,
	 * or if there is no request
	 * @throws dev.ratelimit.rule.InvalidRuleException if it names no bean
	 */
	Supplier<Optional<String>> resolver(String rule, KeySource source);

}

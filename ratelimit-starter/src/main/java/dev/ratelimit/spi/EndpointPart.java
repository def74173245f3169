package dev.ratelimit.spi;

import java.util.Optional;

import dev.ratelimit.rule.RLConfig;

/**
 * What the {@code ratelimits} endpoint shows of the requests that rules of a module
 * handle later. A module declares a bean of it; an application has at most one.
 */
public interface EndpointPart {

	/**
	 * Describe the requests of a rule. May wait for a store. For a native image, the
	 * module registers the type that it returns for binding.
	 * @param rule the rule
	 * @return what the endpoint writes as JSON under {@code queue}; empty if the rule
	 * handles none later, or if that is not known now
	 */
	Optional<Object> describe(RLConfig rule);

	/**
	 * Retry a request that was given up.
	 * @param rule the rule
	 * @param id the id of the request
	 * @return what came of it
	 */
	Retry retry(RLConfig rule, String id);

	/** What came of an attempt to retry a request. */
	enum Retry {

		/** It will be retried. */
		DONE,

		/** There is no such request. */
		UNKNOWN,

		/** The store did not answer. */
		NO_REPLY

	}

}

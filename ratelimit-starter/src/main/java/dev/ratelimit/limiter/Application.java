package dev.ratelimit.limiter;

import java.util.List;
import java.util.Optional;

/**
 * How a rule applies to a request that it matches, or to a call of a method that it
 * guards.
 */
public sealed interface Application {

	/** The rule does not apply. */
	Application SKIPS = new Skips();

	/** The rule refuses. */
	Application DENIES = new Denies();

	/**
	 * The rule counts the request.
	 *
	 * @param ruleRequest the subject and the permits to acquire
	 * @param key one value per key source; empty if the request lacks its key
	 * @param plan the plan of the request
	 */
	record Counts(RuleRequest ruleRequest, List<String> key, Optional<String> plan) implements Application {
	}

	/** The rule does not apply, for lack of a key or because of its condition. */
	record Skips() implements Application {
	}

	/** The rule refuses, because the request lacks its key. */
	record Denies() implements Application {
	}

}

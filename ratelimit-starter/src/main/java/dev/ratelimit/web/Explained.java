package dev.ratelimit.web;

import java.util.Optional;

import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.rule.RLConfig;

/**
 * How one rule treats a described request.
 *
 * @param rule the rule
 * @param applies whether it applies
 * @param reason the reason, and what the description would have to contain for a more
 * certain result
 * @param ruleRequest the request of the rule with the subject it would count; empty if it
 * counts none, or if that cannot be determined
 */
public record Explained(RLConfig rule, Applies applies, String reason, Optional<RuleRequest> ruleRequest) {

	/** Whether a rule applies. */
	public enum Applies {

		/** The rule applies. */
		YES,

		/** The rule does not apply. */
		NO,

		/** A description is not enough to decide that. */
		UNKNOWN

	}

}

package dev.ratelimit.limiter.insight;

import java.util.Optional;

import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.rule.RLConfig;

/**
 * What becomes of one rule with a request that somebody describes.
 *
 * @param rule the rule
 * @param applies whether it applies
 * @param reason why, and what would have to be told to know more
 * @param ruleRequest whom it would count; nothing where it counts nobody, or where that
 * cannot be told
 */
public record Explained(RLConfig rule, Applies applies, String reason, Optional<RuleRequest> ruleRequest) {

	/** Whether a rule applies. */
	public enum Applies {

		/** It does. */
		YES,

		/** It does not. */
		NO,

		/** That takes more than a description. */
		UNKNOWN

	}

}

package dev.ratelimit.limiter.rules;

import dev.ratelimit.limiter.CompiledRules;

/**
 * Refuses rules that this application cannot enforce: those of the start, which then
 * fails, and those that come later, which then do not come into force.
 */
@FunctionalInterface
public interface RuleSetValidator {

	/**
	 * Check rules before they come into force.
	 * @param rules the rules
	 * @throws RuntimeException if they cannot be enforced; its message contains the
	 * reason
	 */
	void check(CompiledRules rules);

}

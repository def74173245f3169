package dev.ratelimit.limiter.rules;

import dev.ratelimit.limiter.CompiledRules;

/**
 * A component that derives its state from the rules in force.
 */
@FunctionalInterface
public interface RuleSetListener {

	/**
	 * Prepare for rules that are to come into force. This must not have any visible
	 * effect yet.
	 * @param rules the rules
	 * @return the action that applies them; must not throw
	 * @throws RuntimeException if the component cannot work with these rules: they do not
	 * come into force, and the message contains the reason
	 */
	Runnable prepare(CompiledRules rules);

}

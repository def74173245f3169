package dev.ratelimit.limiter.live;

import dev.ratelimit.limiter.CompiledRules;

/**
 * Works with something that it makes out of the rules in force.
 */
@FunctionalInterface
public interface RulesFollower {

	/**
	 * Prepare for rules that are to come into force. Nothing of it must show yet.
	 * @param rules the rules
	 * @return what brings them into force; must not throw
	 * @throws RuntimeException if it cannot work with these rules: they do not come into
	 * force, and its message tells why
	 */
	Runnable prepare(CompiledRules rules);

}

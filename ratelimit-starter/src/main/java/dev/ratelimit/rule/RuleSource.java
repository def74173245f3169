package dev.ratelimit.rule;

/**
 * Where rules come from.
 */
@FunctionalInterface
public interface RuleSource {

	/**
	 * Read the rules.
	 * @return the rules
	 * @throws IllegalArgumentException if a rule is not valid; the message names rule,
	 * property, value and cure
	 */
	RuleSet load();

}

package dev.ratelimit.rule;

/**
 * Where rules come from.
 */
@FunctionalInterface
public interface RuleSource {

	/**
	 * Read the rules.
	 * @return the rules
	 * @throws InvalidRuleException if a rule is not valid
	 */
	RuleSet load();

}

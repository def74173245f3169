package dev.ratelimit.spi;

import java.util.List;

import dev.ratelimit.rule.OpenChoice;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleSet;
import dev.ratelimit.rule.RuleWarning;
import dev.ratelimit.store.Limit;

/**
 * Follows the rules in force for a module, which declares a bean of it. Called for the
 * rules of the start, and for each later rule set, on one thread at a time.
 */
public interface ModuleRules {

	/**
	 * The values of {@code on-limit} and {@code scope} that the module enforces. Rules
	 * with a value that no bean names are refused: its auto-configuration is missing.
	 * @return the values
	 */
	default List<? extends OpenChoice> choices() {
		return List.of();
	}

	/**
	 * Check rules before they come into force.
	 * @param rules the rules that will be enforced
	 * @throws RulesNotEnforceableException if the application cannot enforce them
	 */
	default void check(List<RLConfig> rules) {
	}

	/**
	 * Follow rules. Called just before they come into force, and before the limiter
	 * itself follows them. Must not throw: the module would keep its old rules.
	 * @param rules the rules
	 * @param limits the limits of those that are enforced, of all their plans and
	 * overrides
	 */
	default void follow(RuleSet rules, List<Limit> limits) {
	}

	/**
	 * Find what is allowed in a rule, but pointless or dangerous.
	 * @param rule the rule
	 * @param name the name of the warning, which the rule does not acknowledge
	 * @return the warnings of that name, a sentence or two each
	 */
	default List<String> warnings(RLConfig rule, RuleWarning name) {
		return List.of();
	}

}

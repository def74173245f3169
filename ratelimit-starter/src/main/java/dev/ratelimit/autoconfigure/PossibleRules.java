package dev.ratelimit.autoconfigure;

import org.springframework.boot.autoconfigure.condition.ConditionOutcome;

/**
 * Whether there is a rule, or a source from which one may come, as {@link OnRules} has
 * found it. Kept in the bean factory, as Boot keeps its report of all conditions.
 *
 * @param outcome the outcome for all beans that only rules need
 */
record PossibleRules(ConditionOutcome outcome) {

	static final String NAME = PossibleRules.class.getName();

}

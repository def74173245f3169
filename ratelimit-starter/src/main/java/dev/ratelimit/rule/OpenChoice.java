package dev.ratelimit.rule;

import java.util.List;

/**
 * A value of {@code on-limit} or {@code scope}. Modules add such values, with keys of
 * their own.
 */
public interface OpenChoice extends RuleChoice {

	/**
	 * The keys that a rule with this value may have, and others may not.
	 * @return the keys, in the order in which they are listed and shown
	 */
	List<RuleOption> options();

	/**
	 * Create what a rule says with this value.
	 * @param values the values of the rule; a key that has none has its default
	 * @return an {@link OnLimit} or a {@link RuleScope}
	 * @throws InvalidRuleException if a value is out of range
	 */
	ChoiceTerms terms(RuleValues values);

}

package dev.ratelimit.rule;

import org.jspecify.annotations.Nullable;

/**
 * What a rule says with a value of {@code on-limit} or {@code scope}: the value, and
 * those of its keys. An immutable record.
 */
public interface ChoiceTerms {

	/**
	 * The value.
	 * @return the value
	 */
	OpenChoice kind();

	/**
	 * The value of one of its keys.
	 * @param option the key
	 * @return the value; null if the key is not one of its own
	 */
	default @Nullable Object value(RuleOption option) {
		return null;
	}

	/**
	 * Require that the rule goes with it.
	 * @param counting how the rule counts
	 * @param requests the requests that it covers
	 * @throws InvalidRuleException if it does not
	 */
	default void requireFit(Counting counting, CoveredRequests requests) {
	}

}

package dev.ratelimit.rule;

/**
 * A value that decides which other keys a rule may have: an algorithm, a mode, a scope or
 * a value of {@code on-limit}.
 */
public interface RuleChoice {

	/**
	 * The key that it is a value of.
	 * @return the key
	 */
	RuleKey key();

	/**
	 * The value as it is written in a rule.
	 * @return for example {@code token-bucket}
	 */
	String text();

}

package dev.ratelimit.rule;

/**
 * What a rule does while the store cannot answer.
 */
public enum OnStoreFailure {

	/** Decide in the memory of this instance. */
	LOCAL,

	/** Admit. */
	ALLOW,

	/** Refuse with 503. */
	DENY

}

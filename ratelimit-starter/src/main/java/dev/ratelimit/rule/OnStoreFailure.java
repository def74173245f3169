package dev.ratelimit.rule;

/**
 * What a rule does during an outage of the store.
 */
public enum OnStoreFailure {

	/** Decide in the memory of this instance. */
	LOCAL,

	/** Admit. */
	ALLOW,

	/** Refuse with 503. */
	DENY

}

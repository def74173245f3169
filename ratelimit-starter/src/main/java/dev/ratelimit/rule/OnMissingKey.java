package dev.ratelimit.rule;

/**
 * What happens to a request that does not carry the key a rule counts by.
 */
public enum OnMissingKey {

	/** It is counted by its address. */
	IP,

	/** It shares one bucket with all other keyless requests of the rule. */
	SHARED,

	/** It is answered with 403. */
	DENY,

	/** The rule does not apply to it. */
	SKIP

}

package dev.ratelimit.rule;

/**
 * What happens to a request without the key by which a rule counts.
 */
public enum OnMissingKey {

	/**
	 * It is counted by its address. A call of a method outside a request has none and is
	 * refused.
	 */
	IP,

	/** It shares one bucket with all other keyless requests of the rule. */
	SHARED,

	/** It is refused with 403. */
	DENY,

	/** The rule does not apply to it. */
	SKIP

}

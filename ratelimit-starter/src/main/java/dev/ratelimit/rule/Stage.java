package dev.ratelimit.rule;

/**
 * The side of Spring Security on which a rule is decided. Without Spring Security there
 * is one stage and the setting has no effect.
 */
public enum Stage {

	/**
	 * Before Spring Security if the key is the address or global, and the rule has no
	 * plan, condition, cost by bean or {@code on-limit: enqueue}; else behind it.
	 */
	AUTO,

	/** Before Spring Security. */
	BEFORE_SECURITY,

	/** Behind Spring Security. */
	AFTER_SECURITY

}

package dev.ratelimit.rule;

/**
 * On which side of Spring Security a rule is decided. Without Spring Security there is
 * one stage and this makes no difference.
 */
public enum Stage {

	/**
	 * Before Spring Security where the key is the address or global, behind it where the
	 * key names somebody.
	 */
	AUTO,

	/** Before Spring Security. */
	BEFORE_SECURITY,

	/** Behind Spring Security. */
	AFTER_SECURITY

}

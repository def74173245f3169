package dev.ratelimit.rule;

/**
 * How the sliding-window counter rounds a fraction of a request.
 */
public enum Rounding {

	/** It is not counted. */
	DOWN,

	/** It counts as a whole request. */
	UP

}

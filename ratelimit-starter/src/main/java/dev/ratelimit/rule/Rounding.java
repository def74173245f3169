package dev.ratelimit.rule;

/**
 * What the sliding-window counter makes of a fraction of a request.
 */
public enum Rounding {

	/** It is not counted. */
	DOWN,

	/** It counts as a whole request. */
	UP

}

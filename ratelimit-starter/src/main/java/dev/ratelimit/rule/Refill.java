package dev.ratelimit.rule;

/**
 * How a token bucket is refilled.
 */
public enum Refill {

	/** Evenly, the threshold per window. */
	CONTINUOUS,

	/** Completely once per window, which begins with the first request. */
	INTERVAL

}

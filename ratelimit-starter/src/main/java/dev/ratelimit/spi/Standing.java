package dev.ratelimit.spi;

/**
 * Whether a client has requests that are handled later, which another one must not
 * overtake.
 */
public enum Standing {

	/** It has none. */
	FREE,

	/** It has some. */
	BEHIND_OTHERS,

	/** The store of the module did not answer. */
	NO_REPLY,

	/** This application was too busy to ask that store, which may answer others. */
	OVERLOADED

}

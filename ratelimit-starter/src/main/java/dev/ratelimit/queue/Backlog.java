package dev.ratelimit.queue;

/**
 * Whether a subject has items that another one must not overtake.
 */
public enum Backlog {

	/** It has none. */
	NONE,

	/** It has some. */
	SOME,

	/** The store did not answer. */
	NO_REPLY,

	/** This application was too busy to ask the store, which may answer others. */
	OVERLOADED

}

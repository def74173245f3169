package dev.ratelimit.queue;

/**
 * What the store said to a worker about its item.
 */
public enum Acknowledgement {

	/** So it is. Said again, nothing changes. */
	YES,

	/** The worker had its item for too long: it is not its own any more. */
	NOT_YOURS,

	/** The store has not answered. */
	UNHEARD

}

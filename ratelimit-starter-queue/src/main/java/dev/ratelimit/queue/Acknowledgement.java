package dev.ratelimit.queue;

/**
 * The store's reply to a worker about its item.
 */
public enum Acknowledgement {

	/** The step was done. Repeating it changes nothing. */
	YES,

	/** The worker's lease has expired: it no longer has the item. */
	NOT_YOURS,

	/** The store has not answered. */
	NO_REPLY

}

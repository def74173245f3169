package dev.ratelimit.queue;

/**
 * What became of an item that was to be kept.
 */
public enum EnqueueResult {

	/** It is kept, as far as the store keeps anything. */
	KEPT,

	/** Its subject has as many as it may. It is not kept. */
	SUBJECT_FULL,

	/** Its rule has as much as it may. It is not kept. */
	RULE_FULL,

	/** The store has not said that it is kept. */
	UNHEARD

}

package dev.ratelimit.queue;

/**
 * The result of enqueuing an item.
 */
public enum EnqueueResult {

	/** It is enqueued, as durably as the store stores anything. */
	ENQUEUED,

	/** Its subject has as many items as it may have. It is not enqueued. */
	SUBJECT_FULL,

	/** Its rule has as much as it may have. It is not enqueued. */
	RULE_FULL,

	/** The store has not confirmed that it is enqueued. */
	NO_REPLY

}

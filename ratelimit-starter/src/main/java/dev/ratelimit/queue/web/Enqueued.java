package dev.ratelimit.queue.web;

/**
 * The result of trying to enqueue a request.
 *
 * @param outcome the outcome
 * @param rule the rule that was to enqueue it
 * @param id the id it has, or would have had
 */
public record Enqueued(EnqueueOutcome outcome, String rule, String id) {

	/** The possible outcomes. */
	public enum EnqueueOutcome {

		/** It is enqueued. */
		KEPT,

		/**
		 * The queue is full: its client or its rule has as many requests as it may have.
		 */
		FULL,

		/** The store has not confirmed that it is enqueued. */
		NO_REPLY,

		/** Its body is larger than a stored body may be. */
		TOO_LARGE,

		/** Its body was already read elsewhere, or arrives too slowly to be read. */
		BODY_IS_GONE

	}

}

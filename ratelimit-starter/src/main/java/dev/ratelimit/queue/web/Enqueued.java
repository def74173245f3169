package dev.ratelimit.queue.web;

/**
 * What became of a request that was to be kept.
 *
 * @param outcome what
 * @param rule the rule that was to keep it
 * @param id the id it has, or would have had
 */
public record Enqueued(EnqueueOutcome outcome, String rule, String id) {

	/** What may become of it. */
	public enum EnqueueOutcome {

		/** It is kept. */
		KEPT,

		/** There is no room: its client or its rule has as many as it may. */
		FULL,

		/** The store has not said that it is kept. */
		UNHEARD,

		/** Its body is larger than what may be kept. */
		TOO_LARGE,

		/** Its body was read by something else, or comes too slowly to be read. */
		BODY_IS_GONE

	}

}

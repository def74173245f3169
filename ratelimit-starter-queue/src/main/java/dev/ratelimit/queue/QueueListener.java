package dev.ratelimit.queue;

import java.time.Duration;

/**
 * Receives the events of queued requests. Called on a thread that only notifies
 * listeners.
 */
public interface QueueListener {

	/**
	 * The status of a rule's queue was read.
	 * @param rule the id of the rule
	 * @param status the status
	 */
	default void seen(String rule, QueueStatus status) {
	}

	/**
	 * A request is passed to the handler.
	 * @param rule the id of the rule
	 * @param age how long it was queued
	 */
	default void handedOver(String rule, Duration age) {
	}

	/**
	 * The handling of a request has ended.
	 * @param rule the id of the rule
	 * @param outcome the result
	 */
	default void handled(String rule, HandlingResult outcome) {
	}

	/** The possible results of handling a request. */
	enum HandlingResult {

		/** It was handled. */
		DONE,

		/** It failed, and will be retried. */
		RETRIED,

		/** It became a dead letter. */
		DEAD

	}

}

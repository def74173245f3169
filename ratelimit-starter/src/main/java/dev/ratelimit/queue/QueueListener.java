package dev.ratelimit.queue;

import java.time.Duration;
import java.util.List;

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
	void seen(String rule, QueueStatus status);

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

	/**
	 * Combine several listeners.
	 * @param listeners the listeners; one that throws is logged once, and the others are
	 * still notified
	 * @return one listener, which does not throw
	 */
	static QueueListener all(List<QueueListener> listeners) {
		return new QueueListeners(listeners);
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

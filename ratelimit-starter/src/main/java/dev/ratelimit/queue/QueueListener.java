package dev.ratelimit.queue;

import java.time.Duration;
import java.util.List;

/**
 * Hears what happens to requests that are kept. Called on threads of the queue.
 */
public interface QueueListener {

	/**
	 * The queue of a rule was looked at.
	 * @param rule the id of the rule
	 * @param status what it holds
	 */
	void seen(String rule, QueueStatus status);

	/**
	 * A request is handed to the handler.
	 * @param rule the id of the rule
	 * @param age how long it was kept
	 */
	void handedOver(String rule, Duration age);

	/**
	 * Something came of a request.
	 * @param rule the id of the rule
	 * @param outcome what
	 */
	void handled(String rule, HandlingResult outcome);

	/**
	 * Tell several listeners.
	 * @param listeners the listeners; one that throws is told of in the log, once, and
	 * keeps nothing from the others
	 * @return one listener, which does not throw
	 */
	static QueueListener all(List<QueueListener> listeners) {
		return new QueueListeners(listeners);
	}

	/** What may come of a request. */
	enum HandlingResult {

		/** It was handled. */
		DONE,

		/** It failed, and will be tried again. */
		RETRIED,

		/** It became a dead letter. */
		DEAD

	}

}

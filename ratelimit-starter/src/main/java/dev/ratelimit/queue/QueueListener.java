package dev.ratelimit.queue;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.store.queue.QueueSight;

/**
 * Hears what happens to requests that are kept. Called on threads of the queue.
 */
public interface QueueListener {

	/**
	 * The queue of a rule was looked at.
	 * @param rule the id of the rule
	 * @param sight what it holds
	 */
	void sighted(String rule, QueueSight sight);

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
	void handled(String rule, Outcome outcome);

	/**
	 * Tell several listeners.
	 * @param listeners the listeners, which do not throw
	 * @return one listener
	 */
	static QueueListener all(List<QueueListener> listeners) {
		List<QueueListener> all = List.copyOf(listeners);
		return new QueueListener() {

			@Override
			public void sighted(String rule, QueueSight sight) {
				all.forEach((listener) -> listener.sighted(rule, sight));
			}

			@Override
			public void handedOver(String rule, Duration age) {
				all.forEach((listener) -> listener.handedOver(rule, age));
			}

			@Override
			public void handled(String rule, Outcome outcome) {
				all.forEach((listener) -> listener.handled(rule, outcome));
			}

		};
	}

	/** What may come of a request. */
	enum Outcome {

		/** It was handled. */
		DONE,

		/** It failed, and will be tried again. */
		RETRIED,

		/** It became a dead letter. */
		DEAD

	}

}

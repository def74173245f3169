package dev.ratelimit.queue;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.support.Listeners;

/**
 * Combines several listeners. If one of them could end a thread of the queue, no more
 * requests would be handled.
 */
final class QueueListeners implements QueueListener {

	private final Listeners<QueueListener> listeners;

	QueueListeners(List<QueueListener> listeners) {
		this.listeners = new Listeners<>("queue listener", listeners);
	}

	@Override
	public void seen(String rule, QueueStatus status) {
		this.listeners.report((listener) -> listener.seen(rule, status));
	}

	@Override
	public void handedOver(String rule, Duration age) {
		this.listeners.report((listener) -> listener.handedOver(rule, age));
	}

	@Override
	public void handled(String rule, HandlingResult outcome) {
		this.listeners.report((listener) -> listener.handled(rule, outcome));
	}

}

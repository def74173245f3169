package dev.ratelimit.queue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Several listeners as one, each guarded: they are beans of the application. If one of
 * them could end a thread of the queue, no more requests would be handled.
 */
final class QueueListeners implements QueueListener {

	private static final Log logger = LogFactory.getLog(QueueListeners.class);

	private final List<QueueListener> listeners;

	private final Set<Class<?>> failed = ConcurrentHashMap.newKeySet();

	QueueListeners(List<QueueListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void seen(String rule, QueueStatus status) {
		report((listener) -> listener.seen(rule, status));
	}

	@Override
	public void handedOver(String rule, Duration age) {
		report((listener) -> listener.handedOver(rule, age));
	}

	@Override
	public void handled(String rule, HandlingResult outcome) {
		report((listener) -> listener.handled(rule, outcome));
	}

	private void report(Consumer<QueueListener> event) {
		for (QueueListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException | Error ex) {
				warn(listener.getClass(), ex);
			}
		}
	}

	/**
	 * The event names clients, and so may the exception's message: it is logged for
	 * debugging only.
	 */
	private void warn(Class<?> listener, Throwable failure) {
		if (this.failed.add(listener)) {
			logger.warn("A queue listener of type %s threw %s. Requests are handled all the same; this is said once"
				.formatted(listener.getName(), failure.getClass().getName()));
		}
		logger.debug("A queue listener failed", failure);
	}

}

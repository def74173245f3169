package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.limiter.Waiter;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.queue.worker.HandlingPermits;
import dev.ratelimit.queue.worker.QueueSettings;
import dev.ratelimit.queue.worker.QueueThreads;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.support.Listeners;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.SmartLifecycle;

/**
 * Handles enqueued requests while the application runs: from when everything else has
 * started until before anything else stops. It does nothing if no bean stores requests.
 */
final class QueueLifecycle implements SmartLifecycle {

	/** Below the thirty seconds that Spring allows for a phase. */
	private static final Duration GRACE = Duration.ofSeconds(20);

	private final Optional<ItemQueue> queue;

	private final ObjectProvider<QueuedRequestHandler> handlers;

	private final HandlingPermits permits;

	private final QueueSettings settings;

	private final ObjectProvider<QueueListener> listeners;

	private final Waiter waiter;

	private final PermitIds tokens;

	private volatile Optional<QueueThreads> threads = Optional.empty();

	QueueLifecycle(Optional<ItemQueue> queue, ObjectProvider<QueuedRequestHandler> handlers, HandlingPermits permits,
			QueueSettings settings, ObjectProvider<QueueListener> listeners, Waiter waiter, PermitIds tokens) {
		this.queue = queue;
		this.handlers = handlers;
		this.permits = permits;
		this.settings = settings;
		this.listeners = listeners;
		this.waiter = waiter;
		this.tokens = tokens;
	}

	@Override
	public void start() {
		QueuedRequestHandler handler = this.handlers.getIfUnique();
		if (!isRunning() && this.queue.isPresent() && handler != null) {
			List<QueueListener> all = this.listeners.orderedStream().toList();
			this.threads = Optional.of(QueueThreads.start(this.queue.get(), handler, this.permits, this.settings,
					new Listeners<>("queue listener", all), this.waiter, this.tokens, GRACE));
		}
	}

	/** Called when a request was enqueued. */
	void wake() {
		this.threads.ifPresent(QueueThreads::wake);
	}

	@Override
	public void stop() {
		this.threads.ifPresent(QueueThreads::close);
		this.threads = Optional.empty();
	}

	@Override
	public boolean isRunning() {
		return this.threads.isPresent();
	}

}

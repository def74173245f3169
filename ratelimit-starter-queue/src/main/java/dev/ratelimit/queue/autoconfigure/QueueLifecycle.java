package dev.ratelimit.queue.autoconfigure;

import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.queue.worker.QueueThreads;

import org.springframework.context.SmartLifecycle;

/**
 * Handles enqueued requests while the application runs: from when everything else has
 * started until before anything else stops. It does nothing if no bean stores requests.
 */
final class QueueLifecycle implements SmartLifecycle {

	private final Supplier<Optional<QueueThreads>> starter;

	private volatile Optional<QueueThreads> threads = Optional.empty();

	/**
	 * Start nothing yet.
	 * @param starter starts the threads that handle requests; empty if nothing is to be
	 * handled
	 */
	QueueLifecycle(Supplier<Optional<QueueThreads>> starter) {
		this.starter = starter;
	}

	@Override
	public void start() {
		if (!isRunning()) {
			this.threads = this.starter.get();
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

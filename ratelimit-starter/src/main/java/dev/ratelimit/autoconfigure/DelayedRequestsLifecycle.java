package dev.ratelimit.autoconfigure;

import dev.ratelimit.web.servlet.DelayedRequests;

import org.springframework.context.SmartLifecycle;

/**
 * Rejects requests that wait for their turns when the application stops, before the
 * server begins to wait for its active requests.
 */
final class DelayedRequestsLifecycle implements SmartLifecycle {

	/** Above the phase of every web server's graceful shutdown. */
	private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 512;

	private final DelayedRequests delayed;

	DelayedRequestsLifecycle(DelayedRequests delayed) {
		this.delayed = delayed;
	}

	@Override
	public void start() {
		this.delayed.open();
	}

	@Override
	public void stop() {
		this.delayed.endAll();
	}

	@Override
	public boolean isRunning() {
		return this.delayed.isOpen();
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}

package dev.ratelimit.autoconfigure;

import org.springframework.context.SmartLifecycle;

/**
 * Starts the exchange with other data centres with the application instead of with its
 * first request. Until this one has reported its configuration, the others exchange
 * nothing with it.
 */
final class DataCenterLifecycle implements SmartLifecycle {

	/** Below the phase of every web server, because pools open during the start. */
	private static final int PHASE = SmartLifecycle.DEFAULT_PHASE - 4096;

	private final Runnable start;

	private volatile boolean running;

	DataCenterLifecycle(Runnable start) {
		this.start = start;
	}

	@Override
	public void start() {
		this.start.run();
		this.running = true;
	}

	/** The exchange ends with the store. */
	@Override
	public void stop() {
		this.running = false;
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}

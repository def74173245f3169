package dev.ratelimit.autoconfigure;

import org.springframework.context.SmartLifecycle;

/**
 * Starts the exchange with other data centres, which needs no request: they take nothing
 * beyond the bound from a pool before this one has reported how it is configured.
 */
final class DataCenterLifecycle implements SmartLifecycle {

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

}

package dev.ratelimit.autoconfigure;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;

import dev.ratelimit.support.Restartable;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Ends the background work of the limiter, its connections last, while the application is
 * stopped or paused: an instance that serves no requests is not counted as one. What is
 * created begins at once, as other beans may need it before the application starts.
 */
final class RateLimitLifecycle implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(RateLimitLifecycle.class);

	/**
	 * Below web servers, containers of listeners and schedulers, which call the limiter,
	 * and above the connection factories that a store of the application may use.
	 */
	static final int PHASE = Integer.MAX_VALUE / 4;

	/** The last one first: it needs those that were created before. */
	private final Deque<Restartable> running = new ConcurrentLinkedDeque<>();

	private final Deque<Restartable> stopped = new ConcurrentLinkedDeque<>();

	/**
	 * Stop and start something with the application.
	 * @param <T> its type
	 * @param part what has begun, after all that it needs
	 * @return the same
	 */
	public <T extends Restartable> T add(T part) {
		this.running.push(part);
		return part;
	}

	@Override
	public void start() {
		while (!this.stopped.isEmpty()) {
			Restartable part = this.stopped.element();
			part.restart();
			this.running.push(this.stopped.pop());
		}
	}

	@Override
	public void stop() {
		while (!this.running.isEmpty()) {
			Restartable part = this.running.pop();
			this.stopped.push(part);
			try {
				part.close();
			}
			catch (Throwable ex) {
				// The others have to be closed all the same.
				logger.warn("A part of the limiter failed to stop", ex);
			}
		}
	}

	/**
	 * Whether nothing was stopped.
	 * @return whether all parts run, which is so before the first start too
	 */
	@Override
	public boolean isRunning() {
		return this.stopped.isEmpty();
	}

	@Override
	public int getPhase() {
		return PHASE;
	}

}

package dev.ratelimit.limiter.remote;

import java.util.List;

import dev.ratelimit.store.StoreFailure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Combines several listeners and catches the exceptions of each.
 */
final class StoreListeners implements StoreListener {

	private static final Log logger = LogFactory.getLog(StoreListeners.class);

	private final List<StoreListener> listeners;

	StoreListeners(List<StoreListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	/** Called for every request, so it allocates nothing. */
	@Override
	public void called(CallResult outcome, long nanos) {
		for (int i = 0; i < this.listeners.size(); i++) {
			try {
				this.listeners.get(i).called(outcome, nanos);
			}
			catch (RuntimeException ex) {
				failed(ex);
			}
		}
	}

	@Override
	public void unanswered(StoreFailure failure) {
		for (StoreListener listener : this.listeners) {
			try {
				listener.unanswered(failure);
			}
			catch (RuntimeException ex) {
				failed(ex);
			}
		}
	}

	private static void failed(RuntimeException ex) {
		logger.debug("A store listener failed", ex);
	}

}

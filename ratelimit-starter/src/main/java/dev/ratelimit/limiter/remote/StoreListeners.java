package dev.ratelimit.limiter.remote;

import java.util.List;

import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.support.DaemonThreads;
import dev.ratelimit.support.Listeners;

/**
 * Combines several listeners. Tested by {@code StoreWatchTests}.
 */
final class StoreListeners implements StoreListener {

	private final Listeners<StoreListener> listeners;

	StoreListeners(List<StoreListener> listeners) {
		this.listeners = new Listeners<>("store listener", listeners);
	}

	/** Called for every request, so it allocates nothing. */
	@Override
	public void called(CallResult outcome, long nanos) {
		if (DaemonThreads.isCurrent()) {
			this.listeners.report((listener) -> listener.called(outcome, nanos));
			return;
		}
		List<StoreListener> all = this.listeners.all();
		for (int i = 0; i < all.size(); i++) {
			try {
				all.get(i).called(outcome, nanos);
			}
			catch (Throwable ex) {
				this.listeners.failed(all.get(i), ex);
			}
		}
	}

	@Override
	public void unanswered(StoreFailure failure) {
		this.listeners.report((listener) -> listener.unanswered(failure));
	}

}

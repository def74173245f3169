package dev.ratelimit.limiter.health;

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

	@Override
	public Call begin(Operation operation) {
		Call all = Call.UNSEEN;
		for (int i = 0; i < this.listeners.all().size(); i++) {
			Call one = begin(this.listeners.all().get(i), operation);
			Call others = all;
			all = (others == Call.UNSEEN) ? one : (one == Call.UNSEEN) ? others : (outcome) -> {
				others.end(outcome);
				one.end(outcome);
			};
		}
		return all;
	}

	private Call begin(StoreListener listener, Operation operation) {
		try {
			Call call = listener.begin(operation);
			return (call == Call.UNSEEN) ? call
					: (outcome) -> this.listeners.report(listener, (any) -> call.end(outcome));
		}
		catch (Throwable ex) {
			this.listeners.failed(listener, ex);
			return Call.UNSEEN;
		}
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

package dev.ratelimit.limiter.watch;

import java.util.List;
import java.util.function.Consumer;

import dev.ratelimit.store.StoreFailure;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Several listeners as one, each guarded.
 */
final class StoreListeners implements StoreListener {

	private static final Log logger = LogFactory.getLog(StoreListeners.class);

	private final List<StoreListener> listeners;

	StoreListeners(List<StoreListener> listeners) {
		this.listeners = List.copyOf(listeners);
	}

	@Override
	public void called(Outcome outcome, long nanos) {
		tell((listener) -> listener.called(outcome, nanos));
	}

	@Override
	public void unanswered(StoreFailure failure) {
		tell((listener) -> listener.unanswered(failure));
	}

	private void tell(Consumer<StoreListener> event) {
		for (StoreListener listener : this.listeners) {
			try {
				event.accept(listener);
			}
			catch (RuntimeException ex) {
				logger.debug("A store listener failed", ex);
			}
		}
	}

}

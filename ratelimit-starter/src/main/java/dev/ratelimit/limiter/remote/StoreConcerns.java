package dev.ratelimit.limiter.remote;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Settings of the store that may lose what it counts. The store is queried until it has
 * reported them, and its concerns are logged once.
 */
public final class StoreConcerns {

	private static final Log logger = LogFactory.getLog(StoreConcerns.class);

	private final Supplier<Optional<List<String>>> store;

	private volatile Optional<List<String>> reported = Optional.empty();

	/**
	 * Create an instance without any result.
	 * @param store queries the store; empty while it does not respond
	 */
	public StoreConcerns(Supplier<Optional<List<String>>> store) {
		this.store = store;
	}

	/**
	 * Query the store, unless it has reported already. Waits for the store; to be called
	 * by one thread, in the background.
	 */
	public void look() {
		if (this.reported.isEmpty()) {
			this.reported = this.store.get();
			this.reported.ifPresent((concerns) -> concerns.forEach(logger::warn));
		}
	}

	/**
	 * What the store has reported.
	 * @return its concerns, a sentence or two each; empty while it has reported nothing
	 */
	public Optional<List<String>> known() {
		return this.reported;
	}

}

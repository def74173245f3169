package dev.ratelimit.limiter.remote;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * What about the store's own settings may lose what it counts. It is asked until it has
 * told, and its concerns are logged once.
 */
public final class StoreConcerns {

	private static final Log logger = LogFactory.getLog(StoreConcerns.class);

	private final Supplier<Optional<List<String>>> store;

	private volatile Optional<List<String>> told = Optional.empty();

	/**
	 * Begin without knowing.
	 * @param store asks the store; empty while it does not answer
	 */
	public StoreConcerns(Supplier<Optional<List<String>>> store) {
		this.store = store;
	}

	/**
	 * Ask the store, unless it has told. Waits for it; to be called by one thread, in the
	 * background.
	 */
	public void look() {
		if (this.told.isEmpty()) {
			this.told = this.store.get();
			this.told.ifPresent((concerns) -> concerns.forEach(logger::warn));
		}
	}

	/**
	 * What the store has told.
	 * @return its concerns, a sentence or two each; empty while it has told nothing
	 */
	public Optional<List<String>> known() {
		return this.told;
	}

}

package dev.ratelimit.limiter.stage;

import dev.ratelimit.store.AcquiredPermits;

/**
 * Counts acquired permits, and releases them. Safe for concurrent use.
 */
@FunctionalInterface
public interface PermitOwner {

	/** The store, which counts all permits that no stage counts. */
	PermitOwner STORE = Released::inStore;

	/**
	 * Release permits, as far as they are counted here. Does not wait.
	 * @param permits the permits
	 * @return what became of them
	 */
	Released release(AcquiredPermits permits);

}

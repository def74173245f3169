package dev.ratelimit.limiter.source;

import dev.ratelimit.store.AcquiredPermits;

/**
 * Where permits are released that a stage has admitted. Safe for concurrent use.
 */
@FunctionalInterface
public interface PermitOwner {

	/** Leaves all permits to the store. */
	PermitOwner STORE = Released.InStore::new;

	/**
	 * Release permits, as far as that needs no call of the store. Does not wait.
	 * @param permits the permits
	 * @return what became of them
	 */
	Released release(AcquiredPermits permits);

}

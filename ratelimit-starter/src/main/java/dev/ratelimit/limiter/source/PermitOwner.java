package dev.ratelimit.limiter.source;

import dev.ratelimit.store.Settlement;

/**
 * Where permits are settled that a stage has admitted. Safe for concurrent use.
 */
@FunctionalInterface
public interface PermitOwner {

	/** Leaves all permits to the store. */
	PermitOwner STORE = Settled.InStore::new;

	/**
	 * Settle permits, as far as that needs no call of the store. Does not wait.
	 * @param settlement the permits, and how many of them are kept
	 * @return what became of them
	 */
	Settled settle(Settlement settlement);

}

package dev.ratelimit.store;

/**
 * What became of permits that were released.
 */
public enum SettlementResult {

	/** The store acknowledged the release. */
	ACKNOWLEDGED,

	/**
	 * The store is still releasing them in the background, and notifies its
	 * {@link LateReplyListener} of the outcome.
	 */
	AWAITED,

	/**
	 * The release is never acknowledged: the permits may stay counted until their window
	 * has passed.
	 */
	LOST

}

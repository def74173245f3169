package dev.ratelimit.store;

/**
 * What became of permits that were given back.
 */
public enum ReleaseResult {

	/** The store said that it has them. */
	ACKNOWLEDGED,

	/**
	 * The store still gives them back, in the background, and tells its
	 * {@link LateReplyListener} how that ends.
	 */
	AWAITED,

	/** Nobody will say so: they may stay counted until their window has passed. */
	LOST

}

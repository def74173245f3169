package dev.ratelimit.store;

/**
 * What became of permits that were requested from a store and not granted in time.
 */
public enum Fate {

	/** The permits are certainly not taken. */
	NOT_TAKEN,

	/** The permits may be taken, and this is never resolved. */
	UNKNOWN,

	/**
	 * The permits may be taken. The store waits for the late reply, releases by itself
	 * what that reply granted, and notifies its {@link LateReplyListener}.
	 */
	AWAITED

}

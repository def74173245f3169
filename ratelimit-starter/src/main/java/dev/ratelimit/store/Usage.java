package dev.ratelimit.store;

/**
 * Where one window stands after a decision.
 *
 * @param remaining permits that are left, 0 to the threshold
 * @param resetMicros time until the window is empty again if nobody calls, in
 * microseconds
 * @param retryMicros time until this window can admit the same cost if nobody calls, in
 * microseconds: 0 where it did not refuse, {@link #NEVER} where the cost is above the
 * threshold
 */
public record Usage(long remaining, long resetMicros, long retryMicros) {

	/** Longer than any window: waiting cannot help. */
	public static final long NEVER = Long.MAX_VALUE;

	/**
	 * Whether this window refused.
	 * @return whether a retry has to wait for it
	 */
	public boolean refuses() {
		return this.retryMicros > 0;
	}

}

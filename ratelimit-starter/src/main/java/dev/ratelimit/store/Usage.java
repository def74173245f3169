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
 * @param nextMicros time until one more permit is free if nobody calls, in microseconds,
 * where the algorithm can only say so itself: the log, when it has given its last permit;
 * else 0
 */
public record Usage(long remaining, long resetMicros, long retryMicros, long nextMicros) {

	/** Longer than any window: waiting cannot help. */
	public static final long NEVER = Long.MAX_VALUE;

	/**
	 * A window of which the next permit is not reported.
	 * @param remaining permits that are left
	 * @param resetMicros time until the window is empty again
	 * @param retryMicros time until this window can admit the same cost
	 */
	public Usage(long remaining, long resetMicros, long retryMicros) {
		this(remaining, resetMicros, retryMicros, 0);
	}

	/**
	 * Whether this window refused.
	 * @return whether a retry has to wait for it
	 */
	public boolean refuses() {
		return this.retryMicros > 0;
	}

}

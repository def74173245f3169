package dev.ratelimit.store;

import java.util.List;

/**
 * The state of one window after a decision.
 *
 * @param remaining permits that are left, 0 to the threshold
 * @param resetMicros time until the window is empty again if no further request arrives,
 * in microseconds
 * @param retryMicros time until this window can admit the same cost if no further request
 * arrives, in microseconds: 0 if it did not refuse, {@link #NEVER} if the cost is above
 * the {@linkplain Limit#largestCost() most that a request can acquire}
 * @param nextMicros time until one more permit is free if no further request arrives, in
 * microseconds. Set only where the algorithm alone can compute it: by the log, when it
 * has admitted its last permit; otherwise 0
 */
public record Usage(long remaining, long resetMicros, long retryMicros, long nextMicros) {

	/** Longer than any window: waiting does not help. */
	public static final long NEVER = Long.MAX_VALUE;

	/**
	 * A window that does not report the time of its next permit.
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

	/**
	 * The state after some time. Permits that have become free meanwhile are not
	 * estimated, and neither is the time of the next one.
	 * @param elapsedMicros the time
	 * @param more how many permits more are left than then; negative for less
	 * @return the state
	 */
	public Usage after(long elapsedMicros, long more) {
		return new Usage(Math.max(0, this.remaining + more), Math.max(0, this.resetMicros - elapsedMicros),
				(this.retryMicros == NEVER) ? NEVER : Math.max(0, this.retryMicros - elapsedMicros));
	}

	/**
	 * The longest wait that windows report.
	 * @param windows the windows
	 * @return micros until the last of them can admit; 0 where none refuses
	 */
	public static long longestWaitMicros(List<Usage> windows) {
		long longest = 0;
		for (Usage window : windows) {
			longest = Math.max(longest, window.retryMicros);
		}
		return longest;
	}

}

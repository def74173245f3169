package dev.ratelimit.limiter.remote;

import java.time.Duration;

/**
 * When breakers open, and when they probe.
 *
 * @param failures how many consecutive failures open a breaker
 * @param apartNanos how far failures must be apart to count separately
 * @param silenceNanos how long a series of at least two failures must last to open a
 * breaker, however few they are
 * @param longestPauseNanos the longest time between two probes
 */
record BreakerSettings(int failures, long apartNanos, long silenceNanos, long longestPauseNanos) {

	private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(50).toNanos();

	/**
	 * One part in this many of a deadline is reserved, so that the caller returns in
	 * time.
	 */
	private static final int PART = 10;

	/**
	 * Create the settings for stores for which callers wait.
	 * @param failures how many consecutive failures open a breaker
	 * @param open the longest time until a probe
	 * @param deadline how long a call waits
	 */
	static BreakerSettings of(int failures, Duration open, Duration deadline) {
		long part = deadline.toNanos() / PART;
		return new BreakerSettings(failures, part, deadline.toNanos() - part, open.toNanos());
	}

	long firstPauseNanos() {
		return Math.min(FIRST_PAUSE_NANOS, this.longestPauseNanos);
	}

	long afterPauseNanos(long pauseNanos) {
		return Math.min(2 * pauseNanos, this.longestPauseNanos);
	}

}

package dev.ratelimit.limiter.remote;

import java.time.Duration;

/**
 * When breakers open, and when they try again.
 *
 * @param failures how many failures in a row open one
 * @param apartNanos how far they lie apart to count
 * @param silenceNanos how long a row of at least two lasts that opens one, however few
 * they are
 * @param longestPauseNanos the longest time between two calls that try again
 */
record BreakerSettings(int failures, long apartNanos, long silenceNanos, long longestPauseNanos) {

	private static final long FIRST_PAUSE_NANOS = Duration.ofMillis(50).toNanos();

	/** Of a deadline: what is kept back of it for the caller to return in time. */
	private static final int PART = 10;

	/**
	 * The terms of stores that are waited for.
	 * @param failures how many failures in a row open a breaker
	 * @param open the longest time until a call tries again
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

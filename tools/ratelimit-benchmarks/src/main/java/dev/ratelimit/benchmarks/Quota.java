package dev.ratelimit.benchmarks;

import java.time.Duration;

/**
 * What every contender is told to enforce.
 *
 * @param permits how many in a window
 * @param window the length of the window
 */
record Quota(long permits, Duration window) {

	String text() {
		return this.permits + "/" + this.window.toMillis() + "ms";
	}

}

package dev.ratelimit.benchmarks;

import java.time.Duration;

/**
 * The quota that every contender enforces.
 *
 * @param permits the permits per window
 * @param window the length of the window
 */
record Quota(long permits, Duration window) {

	String text() {
		return this.permits + "/" + this.window.toMillis() + "ms";
	}

}

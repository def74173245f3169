package dev.ratelimit.store.redis;

import java.time.Duration;

/**
 * The end of the time a call may take, on this JVM's monotonic clock.
 */
final class Deadline {

	private final long endNanos;

	private Deadline(long endNanos) {
		this.endNanos = endNanos;
	}

	static Deadline in(Duration time) {
		return new Deadline(System.nanoTime() + time.toNanos());
	}

	boolean isOver() {
		return this.endNanos - System.nanoTime() <= 0;
	}

	/**
	 * What is left, but at least a millisecond: to the socket and the pool, zero means
	 * for ever, and what has arrived already should still be read.
	 * @return the time that is left
	 */
	Duration left() {
		return Duration.ofMillis(leftMillis());
	}

	int leftMillis() {
		return (int) Math.max(1, (this.endNanos - System.nanoTime() + 999_999) / 1_000_000);
	}

}

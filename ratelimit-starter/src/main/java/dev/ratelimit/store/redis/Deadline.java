package dev.ratelimit.store.redis;

import java.time.Duration;

/**
 * The end of the time a call may take, on this JVM's monotonic clock.
 */
final class Deadline {

	private static final Duration LONGEST_RETURN = Duration.ofMillis(5);

	private final long endNanos;

	private Deadline(long endNanos) {
		this.endNanos = endNanos;
	}

	static Deadline in(Duration time) {
		return new Deadline(System.nanoTime() + time.toNanos());
	}

	/**
	 * Early enough for the caller to go on in time. Kept back, at most a tenth of the
	 * time, is what comes after the wait: a socket rounds it up to a millisecond, the
	 * thread wakes, and the failure becomes an answer.
	 * @param time how long the caller may wait in all
	 * @return when to stop waiting
	 */
	static Deadline forReturnIn(Duration time) {
		long nanos = time.toNanos();
		return new Deadline(System.nanoTime() + nanos - Math.min(nanos / 10, LONGEST_RETURN.toNanos()));
	}

	Deadline orEarlier(Deadline other) {
		return (this.endNanos - other.endNanos <= 0) ? this : other;
	}

	boolean isOver() {
		return leftNanos() == 0;
	}

	long leftNanos() {
		return Math.max(0, this.endNanos - System.nanoTime());
	}

	/**
	 * What is left, but at least a millisecond: to a socket, zero means for ever.
	 * @return the time that is left, rounded up
	 */
	int leftMillis() {
		return (int) Math.min(Integer.MAX_VALUE, Math.max(1, (leftNanos() + 999_999) / 1_000_000));
	}

}

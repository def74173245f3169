package dev.ratelimit.store.wire;

import java.time.Duration;

/**
 * The end of the time something may take, on this JVM's monotonic clock.
 */
public final class Deadline {

	private final long endNanos;

	private Deadline(long endNanos) {
		this.endNanos = endNanos;
	}

	/**
	 * A reading of the clock, for what compares many of them.
	 */
	static long nowNanos() {
		return System.nanoTime();
	}

	/**
	 * A deadline that begins now.
	 * @param time how long it is
	 * @return the deadline
	 */
	public static Deadline in(Duration time) {
		return new Deadline(System.nanoTime() + time.toNanos());
	}

	public boolean isOver() {
		return leftNanos() == 0;
	}

	/**
	 * The time left.
	 * @return the time in nanoseconds, zero if it is over
	 */
	public long leftNanos() {
		return Math.max(0, this.endNanos - System.nanoTime());
	}

	/**
	 * The time left, but at least one millisecond, as a socket takes zero for no timeout.
	 * @return the time that is left, rounded up
	 */
	public int leftMillis() {
		return toMillis(leftNanos());
	}

	/** The timeout of a socket, which is at least the shortest that is not none. */
	static int toMillis(long nanos) {
		return (int) Math.min(Integer.MAX_VALUE, Math.max(1, (nanos + 999_999) / 1_000_000));
	}

}

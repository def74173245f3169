package dev.ratelimit.store.wire;

import java.time.Duration;

/**
 * The end of the time a call may take, on this JVM's monotonic clock.
 */
public final class Deadline {

	private static final long LONGEST_RETURN_NANOS = Duration.ofMillis(5).toNanos();

	private final long endNanos;

	private Deadline(long endNanos) {
		this.endNanos = endNanos;
	}

	/**
	 * A reading of the clock, for values that have to differ from one moment to the next.
	 */
	static long nowNanos() {
		return System.nanoTime();
	}

	public static Deadline in(Duration time) {
		return inNanos(time.toNanos());
	}

	static Deadline inNanos(long nanos) {
		return new Deadline(System.nanoTime() + nanos);
	}

	/**
	 * A deadline early enough for the caller to continue in time. It reserves at most a
	 * tenth of the time for the work after the wait: a socket rounds the wait up to a
	 * millisecond, the thread wakes, and the failure becomes a response.
	 * @param nanos how long the caller may wait in all
	 * @return when to stop waiting
	 */
	static Deadline forReturnIn(long nanos) {
		return inNanos(nanos - Math.min(nanos / 10, LONGEST_RETURN_NANOS));
	}

	public boolean isOver() {
		return leftNanos() == 0;
	}

	/** Whether it has been over for at least that long. */
	boolean isOverFor(long nanos) {
		return System.nanoTime() - this.endNanos >= nanos;
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
		return (int) Math.min(Integer.MAX_VALUE, Math.max(1, (leftNanos() + 999_999) / 1_000_000));
	}

}

package dev.ratelimit.store.wire;

import java.time.Duration;

/**
 * How long a call may take. Its deadline starts when it is written. Before that it waits
 * for its turn, that is, for connections, threads and the processor of this application,
 * at most four deadlines. Where the server does not answer, waiting for a second deadline
 * would be useless, so waiting and reply together take one deadline. Times are those of
 * {@link Deadline#nowNanos()}. Tested by {@code BatchSlotsTests}.
 */
final class CallTime {

	private static final int MOST_DEADLINES = 4;

	/**
	 * The divisor for the part of a deadline that remains for a call that is sent again.
	 */
	private static final int LEAST_PART = 5;

	private static final long LONGEST_RETURN_NANOS = Duration.ofMillis(5).toNanos();

	private final long maxWaitNanos;

	/** The end of one deadline, counted from the beginning. */
	private final long one;

	/**
	 * Start now.
	 * @param maxWait how long to wait for the reply; if zero, there is no wait for a turn
	 * either
	 */
	CallTime(Duration maxWait) {
		this(maxWait.toNanos());
	}

	private CallTime(long maxWaitNanos) {
		this.maxWaitNanos = maxWaitNanos;
		this.one = Deadline.nowNanos() + toReturnInTime(maxWaitNanos);
	}

	/**
	 * How long to wait, so that the caller can continue in time. At most a tenth of the
	 * time is reserved for the work after the wait: a socket rounds the wait up to a
	 * millisecond, the thread wakes, and the failure becomes a response.
	 * @param nanos how long the caller may wait in all
	 */
	static long toReturnInTime(long nanos) {
		return nanos - Math.min(nanos / 10, LONGEST_RETURN_NANOS);
	}

	/**
	 * The time that remains when the server has replied that the call is to be sent in
	 * another way. It is unknown how much time passed before this application read the
	 * reply, so a part is left in any case.
	 */
	CallTime rest() {
		return new CallTime(Math.max(this.one - Deadline.nowNanos(), this.maxWaitNanos / LEAST_PART));
	}

	/** Whether the server has any time to reply. */
	boolean allowsWait() {
		return this.maxWaitNanos > 0;
	}

	/**
	 * Whether waiting for a turn is no longer useful.
	 * @param silent whether the server answers no call
	 */
	boolean isOver(boolean silent) {
		long late = Deadline.nowNanos() - this.one;
		return late >= (silent ? 0 : (MOST_DEADLINES - 1) * this.maxWaitNanos);
	}

	/**
	 * How long to wait before the next check whether the time is over. That check is
	 * never later than the deadline of a call that is written meanwhile.
	 */
	long nextCheckNanos() {
		return nextCheckNanos(this.one);
	}

	/**
	 * How long to wait before the next check whether a reply was read.
	 * @param reply its deadline
	 */
	long nextCheckNanos(long reply) {
		long left = reply - Deadline.nowNanos();
		return (left > 0) ? left : this.maxWaitNanos / MOST_DEADLINES;
	}

	/**
	 * The deadline of the reply to a call that is written now.
	 * @param silent whether the server answers no call
	 */
	long forReply(boolean silent) {
		return silent ? this.one : Deadline.nowNanos() + toReturnInTime(this.maxWaitNanos);
	}

	/** Whether to stop waiting even for a reply that has arrived. */
	boolean isFarBeyond(long reply) {
		return Deadline.nowNanos() - reply >= MOST_DEADLINES * this.maxWaitNanos;
	}

}

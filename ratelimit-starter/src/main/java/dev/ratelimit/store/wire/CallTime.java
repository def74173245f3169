package dev.ratelimit.store.wire;

import java.time.Duration;

/**
 * How long a call may take. Its deadline starts when it is written. Before that it waits
 * for its turn, that is, for connections, threads and the processor of this application,
 * at most four deadlines. Where the server does not answer, waiting for a second deadline
 * would be useless, so waiting and reply together take one deadline. Tested by
 * {@code RequestBatcherTests}.
 */
final class CallTime {

	private static final int MOST_DEADLINES = 4;

	/**
	 * The divisor for the part of a deadline that remains for a call that is sent again.
	 */
	private static final int LEAST_PART = 5;

	private final long maxWaitNanos;

	/** One deadline, counted from the beginning. */
	private final Deadline one;

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
		this.one = Deadline.forReturnIn(maxWaitNanos);
	}

	/**
	 * The time that remains when the server has replied that the call is to be sent in
	 * another way. It is unknown how much time passed before this application read the
	 * reply, so a part is left in any case.
	 */
	CallTime rest() {
		return new CallTime(Math.max(this.one.leftNanos(), this.maxWaitNanos / LEAST_PART));
	}

	/** Whether the server has any time to reply. */
	boolean allowsWait() {
		return this.maxWaitNanos > 0;
	}

	/** How long to wait for a turn at most. */
	long turnNanos() {
		return this.one.leftNanos() + (MOST_DEADLINES - 1) * this.maxWaitNanos;
	}

	/** Whether waiting for a turn is no longer useful. */
	boolean isOver(Node node) {
		return this.one.isOverFor((MOST_DEADLINES - 1) * this.maxWaitNanos) || isInVain(node);
	}

	/** Whether it has waited for a deadline, and the server does not answer. */
	boolean isInVain(Node node) {
		return this.one.isOver() && node.isSilent();
	}

	/**
	 * How long to wait before the next check whether the time is over. That check is
	 * never later than the deadline of a call that is written meanwhile.
	 */
	long nextCheckNanos() {
		return this.one.isOver() ? laterNanos() : this.one.leftNanos();
	}

	/**
	 * How long to wait before the next check whether a reply that has arrived was read.
	 */
	long laterNanos() {
		return this.maxWaitNanos / MOST_DEADLINES;
	}

	/** The deadline of the reply to a call that is written now. */
	Deadline forReply(Node node) {
		return node.isSilent() ? this.one : Deadline.forReturnIn(this.maxWaitNanos);
	}

	/** Whether to stop waiting even for a reply that has arrived. */
	boolean isFarBeyond(Deadline reply) {
		return reply.isOverFor(MOST_DEADLINES * this.maxWaitNanos);
	}

}

package dev.ratelimit.store.redis.resp;

import java.time.Duration;

/**
 * How long a call may take. Its deadline runs from when it is written. Before that it
 * waits for its turn: for connections, threads and processor of this application, at most
 * four deadlines. Where the server does not answer, a second deadline would be spent for
 * nothing, so that all of it takes one.
 */
final class CallTime {

	private static final int MOST_DEADLINES = 4;

	/** Of a deadline: what remains for a call that is to be sent once more. */
	private static final int LEAST_PART = 5;

	private final long maxWaitNanos;

	/** One deadline from the beginning. */
	private final Deadline one;

	/**
	 * Begin now.
	 * @param maxWait how long to wait for the reply; with nothing, there is no wait for a
	 * turn either
	 */
	CallTime(Duration maxWait) {
		this(maxWait.toNanos());
	}

	private CallTime(long maxWaitNanos) {
		this.maxWaitNanos = maxWaitNanos;
		this.one = Deadline.forReturnIn(maxWaitNanos);
	}

	/**
	 * What remains when the server has replied that the call is to be sent in another
	 * way. How much of the time went by before this application took up the reply is not
	 * known, so that a part is left in any case.
	 */
	CallTime rest() {
		return new CallTime(Math.max(this.one.leftNanos(), this.maxWaitNanos / LEAST_PART));
	}

	/** Whether there is no more use in waiting for a turn. */
	boolean isOver(Node node) {
		return this.one.isOverFor((MOST_DEADLINES - 1) * this.maxWaitNanos) || isInVain(node);
	}

	/** Whether it has waited for a deadline, and the server does not answer. */
	boolean isInVain(Node node) {
		return this.one.isOver() && node.isSilent();
	}

	/**
	 * How long to wait before the next look whether it is over. A look then is never
	 * later than the deadline of a call that is written meanwhile.
	 */
	long nextLookNanos() {
		return this.one.isOver() ? laterNanos() : this.one.leftNanos();
	}

	/** How long to wait before the next look whether what has arrived was read. */
	long laterNanos() {
		return this.maxWaitNanos / MOST_DEADLINES;
	}

	/** When the reply must be there to a call that is written now. */
	Deadline forReply(Node node) {
		return node.isSilent() ? this.one : Deadline.forReturnIn(this.maxWaitNanos);
	}

	/** Whether nothing more is waited for, though it has arrived. */
	boolean isFarBeyond(Deadline reply) {
		return reply.isOverFor(MOST_DEADLINES * this.maxWaitNanos);
	}

}

package dev.ratelimit.web;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Prevents an outage of the store from costing each request its deadline: after several
 * unanswered calls in a row, the store is called once a second, until a call is answered.
 * A single lost reply has no effect.
 */
final class BacklogBreaker {

	private static final int IN_A_ROW = 3;

	private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

	private final AtomicInteger unanswered = new AtomicInteger();

	private final AtomicLong untilNanos = new AtomicLong();

	/** Whether the store may be called; of several callers after a pause, one may. */
	boolean tryAcquire(long nowNanos) {
		long until = this.untilNanos.get();
		return this.unanswered.get() < IN_A_ROW
				|| (nowNanos - until >= 0 && this.untilNanos.compareAndSet(until, nowNanos + PAUSE_NANOS));
	}

	void record(boolean answered, long nowNanos) {
		if (!answered) {
			this.untilNanos.set(nowNanos + PAUSE_NANOS);
			this.unanswered.incrementAndGet();
		}
		else if (this.unanswered.get() > 0) {
			this.unanswered.set(0);
		}
	}

}

package dev.ratelimit.queue.web;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Prevents an outage of the store from costing each request its deadline: after several
 * unanswered calls in a row, the store is not called for a second. A single lost reply
 * has no effect.
 */
final class QueueBreaker {

	private static final int IN_A_ROW = 3;

	private static final long PAUSE_NANOS = Duration.ofSeconds(1).toNanos();

	private final AtomicInteger unanswered = new AtomicInteger();

	private final AtomicLong untilNanos = new AtomicLong();

	boolean isOpen(long nowNanos) {
		return this.unanswered.get() >= IN_A_ROW && nowNanos - this.untilNanos.get() < 0;
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

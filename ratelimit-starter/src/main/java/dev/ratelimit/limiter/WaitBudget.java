package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one request may still wait for a store, in all: over both stages, what is decided
 * late and what is given back. Time that no store used is not taken off. How much of the
 * time of a call was the application's own is not known: after one that the store
 * answered, a fifth of the total is left in any case. Safe for concurrent use.
 */
public final class WaitBudget {

	private static final int LEAST_PART = 5;

	private final AtomicLong leftNanos;

	private final long leastNanos;

	WaitBudget(Duration total) {
		this.leastNanos = total.toNanos() / LEAST_PART;
		this.leftNanos = new AtomicLong(total.toNanos());
	}

	/**
	 * What is left.
	 * @return the time; zero when it is used up
	 */
	public Duration left() {
		return Duration.ofNanos(Math.max(0, this.leftNanos.get()));
	}

	/**
	 * Take off what a call has used that the store may have failed.
	 * @param nanos the time, in nanoseconds
	 * @param answered whether the store answered, or was not the cause
	 */
	public void spend(long nanos, boolean answered) {
		if (answered) {
			this.leftNanos.updateAndGet((left) -> Math.max(left - nanos, Math.min(left, this.leastNanos)));
		}
		else {
			spend(nanos);
		}
	}

	/**
	 * Take off what a store has used.
	 * @param nanos the time, in nanoseconds
	 */
	public void spend(long nanos) {
		this.leftNanos.addAndGet(-nanos);
	}

}

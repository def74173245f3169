package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What one request may still wait for a store, in all: over both stages, what is decided
 * late and what is given back. Time that no store used is not taken off. Safe for
 * concurrent use.
 */
public final class WaitBudget {

	private final AtomicLong leftNanos;

	WaitBudget(Duration total) {
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
	 * Take off what a store has used.
	 * @param nanos the time, in nanoseconds
	 */
	public void spend(long nanos) {
		this.leftNanos.addAndGet(-nanos);
	}

}

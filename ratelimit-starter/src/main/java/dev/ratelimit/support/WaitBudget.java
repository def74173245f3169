package dev.ratelimit.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;

/**
 * The time that one request may still wait for a store, in total: for both stages, late
 * decisions and releases. Time that no store used is not subtracted. The application's
 * own part of a call is unknown, so a call that the store answered never reduces the
 * budget below a fifth of the total. Less than that is no time: a store that does not
 * answer in it is not down. Safe for concurrent use.
 */
public final class WaitBudget {

	private static final int LEAST_PART = 5;

	private static final AtomicLongFieldUpdater<WaitBudget> LEFT = AtomicLongFieldUpdater.newUpdater(WaitBudget.class,
			"leftNanos");

	private volatile long leftNanos;

	private final long leastNanos;

	/**
	 * Create a budget.
	 * @param total the time for all calls together
	 */
	public WaitBudget(Duration total) {
		this.leastNanos = Math.max(1, total.toNanos() / LEAST_PART);
		this.leftNanos = total.toNanos();
	}

	/**
	 * Whether nothing is left.
	 * @return whether the store is not to be called, or not to be waited for
	 */
	public boolean isUsedUp() {
		return this.leftNanos < this.leastNanos;
	}

	/**
	 * The time that is left.
	 * @return the time; zero when it is used up
	 */
	public Duration left() {
		long left = this.leftNanos;
		return (left < this.leastNanos) ? Duration.ZERO : Duration.ofNanos(left);
	}

	/**
	 * Subtract the time of a call in which the store may have failed.
	 * @param nanos the time, in nanoseconds
	 * @param answered whether the store answered, or did not cause the failure
	 */
	public void spend(long nanos, boolean answered) {
		if (answered) {
			LEFT.updateAndGet(this, (left) -> Math.max(left - nanos, Math.min(left, this.leastNanos)));
		}
		else {
			spend(nanos);
		}
	}

	/**
	 * Subtract time that a store has used.
	 * @param nanos the time, in nanoseconds
	 */
	public void spend(long nanos) {
		LEFT.addAndGet(this, -nanos);
	}

}

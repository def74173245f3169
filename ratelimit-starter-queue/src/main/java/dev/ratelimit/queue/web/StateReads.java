package dev.ratelimit.queue.web;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Bounds how often this instance calls the store for clients that query states: how many
 * calls at once, and how many in each second. Any client may query, and the page need not
 * be covered by a rule. Costs no lock and no call. Safe for concurrent use.
 */
public final class StateReads {

	private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

	private final long nanosOfOne;

	private final LongSupplier nanoTime;

	/** When all taken calls have been compensated by elapsed time. */
	private final AtomicLong paidNanos;

	/**
	 * Create a bound.
	 * @param perSecond how many calls per second
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public StateReads(int perSecond, LongSupplier nanoTime) {
		this.nanosOfOne = SECOND_NANOS / perSecond;
		this.nanoTime = nanoTime;
		this.paidNanos = new AtomicLong(nanoTime.getAsLong());
	}

	boolean take() {
		long now = this.nanoTime.getAsLong();
		while (true) {
			long paid = this.paidNanos.get();
			long owed = Math.max(0, paid - now) + this.nanosOfOne;
			if (owed > SECOND_NANOS) {
				return false;
			}
			if (this.paidNanos.compareAndSet(paid, now + owed)) {
				return true;
			}
		}
	}

}

package dev.ratelimit.queue.web;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * How often this instance calls the store for clients that ask for states: so many at
 * once, and so many in each second. Anybody may ask, and no rule has to cover the page.
 * Costs no lock and no call. Safe for concurrent use.
 */
public final class StateReads {

	private static final long SECOND_NANOS = Duration.ofSeconds(1).toNanos();

	private final long nanosOfOne;

	private final LongSupplier nanoTime;

	/** When all that was taken has been made up for. */
	private final AtomicLong paidNanos;

	/**
	 * Create a bound.
	 * @param perSecond how many calls
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

package dev.ratelimit.support;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Lets a thread wait for its turn, and never returns early. Tested by
 * {@code AcquireTests}.
 *
 * @param nanoTime a monotonic clock in nanoseconds
 * @param park parks the thread for the given number of nanoseconds, or less
 */
public record Waiter(LongSupplier nanoTime, LongConsumer park) {

	/**
	 * The current time.
	 * @return nanoseconds of the clock
	 */
	public long now() {
		return this.nanoTime.getAsLong();
	}

	/**
	 * Wait until a time.
	 * @param turnNanos the time to wait for, on the clock
	 * @throws InterruptedException if the thread is interrupted
	 */
	public void until(long turnNanos) throws InterruptedException {
		for (long left = turnNanos - now(); left > 0; left = turnNanos - now()) {
			requireUninterrupted();
			this.park.accept(left);
		}
	}

	/**
	 * Require that the thread is not interrupted.
	 * @throws InterruptedException if it is
	 */
	public static void requireUninterrupted() throws InterruptedException {
		if (Thread.interrupted()) {
			throw new InterruptedException("Interrupted while waiting for a turn under a rate limit");
		}
	}

}

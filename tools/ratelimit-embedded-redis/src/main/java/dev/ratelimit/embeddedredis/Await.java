package dev.ratelimit.embeddedredis;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Waits for another process by polling every ten milliseconds.
 */
final class Await {

	private static final long INTERVAL_MILLIS = 10;

	private Await() {
	}

	/**
	 * Wait until a condition holds.
	 * @param timeout the longest wait
	 * @param condition evaluated at least once
	 * @param failure the message if it never holds
	 * @throws IllegalStateException if the timeout expires or this thread is interrupted
	 */
	static void until(Duration timeout, BooleanSupplier condition, Supplier<String> failure) {
		long start = System.nanoTime();
		while (!condition.getAsBoolean()) {
			if (System.nanoTime() - start > timeout.toNanos()) {
				throw new IllegalStateException(failure.get());
			}
			pause();
		}
	}

	private static void pause() {
		try {
			Thread.sleep(INTERVAL_MILLIS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			throw new IllegalStateException("Interrupted while waiting for a Redis server", ex);
		}
	}

}

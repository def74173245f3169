package com.google.common.util.concurrent;

import java.util.function.LongSupplier;

/**
 * Gives the benchmarks Guava's limiter on a clock of their own. Guava has a parameter for
 * the clock, but only inside its package.
 */
public final class GuavaLimiters {

	private GuavaLimiters() {
	}

	/**
	 * As {@link RateLimiter#create(double)}, with another clock. The limiter can only be
	 * tried, because no thread can sleep on that clock.
	 * @param permitsPerSecond the rate
	 * @param micros the time in microseconds
	 * @return the limiter
	 */
	public static RateLimiter create(double permitsPerSecond, LongSupplier micros) {
		return RateLimiter.create(permitsPerSecond, new RateLimiter.SleepingStopwatch() {

			@Override
			protected long readMicros() {
				return micros.getAsLong();
			}

			@Override
			protected void sleepMicrosUninterruptibly(long time) {
				if (time > 0) {
					throw new IllegalStateException("A request would wait for " + time + " microseconds");
				}
			}

		});
	}

}

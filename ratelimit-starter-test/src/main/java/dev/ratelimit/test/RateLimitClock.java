package dev.ratelimit.test;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock that rate limits are counted by in a test. It stands still until the test
 * moves it, and starts every test method at {@link #START}. A bean of the test's
 * application context; safe for concurrent use.
 */
public final class RateLimitClock {

	/**
	 * The time at which each test begins: {@code 2000-01-01T00:00:00Z}, a midnight, so
	 * that fixed windows whose length divides a day have just begun.
	 */
	public static final Instant START = Instant.parse("2000-01-01T00:00:00Z");

	private volatile Instant now = START;

	RateLimitClock() {
	}

	/**
	 * Move the time forward.
	 * @param duration by how much; what is finer than a microsecond does not count
	 * @throws IllegalArgumentException if it is negative: to step back, use
	 * {@link #set(Instant)}
	 */
	public synchronized void advance(Duration duration) {
		if (duration.isNegative()) {
			throw new IllegalArgumentException(
					"advance(" + duration + ") would step back. Use set(Instant) if that is what the test is about");
		}
		this.now = this.now.plus(duration);
	}

	/**
	 * Set the time, forward or back.
	 * @param instant the time
	 */
	public synchronized void set(Instant instant) {
		this.now = instant;
	}

	/**
	 * The time that it is now.
	 * @return the time
	 */
	public Instant instant() {
		return this.now;
	}

	@Override
	public String toString() {
		return "RateLimitClock at " + instant();
	}

}

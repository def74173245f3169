package dev.ratelimit.test;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock for rate limits in a test. It stands still until the test moves it, and is
 * reset to {@link #START} before every test method. A bean of the test's application
 * context; safe for concurrent use.
 */
public final class RateLimitClock {

	/**
	 * The time at which each test begins: {@code 2000-01-01T00:00:00Z}. It is a midnight,
	 * so fixed windows whose length divides a day have just begun.
	 */
	public static final Instant START = Instant.parse("2000-01-01T00:00:00Z");

	private volatile Instant now = START;

	RateLimitClock() {
	}

	/**
	 * Move the time forward.
	 * @param duration the time to add; fractions of a microsecond are ignored
	 * @throws IllegalArgumentException if it is negative; use {@link #set(Instant)} to
	 * move the time back
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
	 * @param instant the new time
	 */
	public synchronized void set(Instant instant) {
		this.now = instant;
	}

	/**
	 * The current time of this clock.
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

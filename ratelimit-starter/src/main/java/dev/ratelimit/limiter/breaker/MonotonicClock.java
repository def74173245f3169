package dev.ratelimit.limiter.breaker;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.LongSupplier;

/**
 * Tells the library a time that never steps back: an open breaker would stay open for as
 * long as the step.
 */
final class MonotonicClock extends Clock {

	private final LongSupplier nanoTime;

	MonotonicClock(LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
	}

	@Override
	public Instant instant() {
		return Instant.EPOCH.plusNanos(this.nanoTime.getAsLong());
	}

	@Override
	public ZoneId getZone() {
		return ZoneOffset.UTC;
	}

	@Override
	public Clock withZone(ZoneId zone) {
		return this;
	}

}

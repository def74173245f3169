package dev.ratelimit.store;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that stands still until it is moved, in microseconds.
 */
public final class MovableClock implements InstantSource {

	private final AtomicLong micros;

	public MovableClock() {
		this("2026-11-20T09:30:20Z");
	}

	public MovableClock(String start) {
		this.micros = new AtomicLong(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(start)));
	}

	public void moveTo(String instant) {
		this.micros.set(ChronoUnit.MICROS.between(Instant.EPOCH, Instant.parse(instant)));
	}

	public void advance(Duration by) {
		advanceMicros(by.toNanos() / 1000);
	}

	public void advanceMicros(long by) {
		this.micros.addAndGet(by);
	}

	public long micros() {
		return this.micros.get();
	}

	@Override
	public Instant instant() {
		return Instant.EPOCH.plus(this.micros.get(), ChronoUnit.MICROS);
	}

}

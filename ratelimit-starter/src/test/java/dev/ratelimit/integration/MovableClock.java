package dev.ratelimit.integration;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that stands still until a test moves it.
 */
final class MovableClock implements InstantSource {

	private volatile Instant now = Instant.parse("2026-01-01T09:30:20Z");

	@Override
	public Instant instant() {
		return this.now;
	}

	void advance(Duration duration) {
		this.now = this.now.plus(duration);
	}

	void set(String time) {
		this.now = Instant.parse("2026-01-01T" + time + "Z");
	}

}

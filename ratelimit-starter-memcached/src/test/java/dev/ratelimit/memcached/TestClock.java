package dev.ratelimit.memcached;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * A clock that stands still until the test moves it.
 */
final class TestClock implements InstantSource {

	private volatile Instant now = Instant.parse("2026-11-20T09:30:20Z");

	@Override
	public Instant instant() {
		return this.now;
	}

	void advance(Duration by) {
		this.now = this.now.plus(by);
	}

}

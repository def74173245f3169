package dev.ratelimit.backtest.replay;

import java.time.Instant;
import java.time.InstantSource;

/**
 * The clock of the log, which shows the time of the request being replayed. Not safe for
 * concurrent use.
 */
public final class LogClock implements InstantSource {

	private Instant now = Instant.EPOCH;

	/**
	 * Set the time.
	 * @param instant the time
	 */
	public void set(Instant instant) {
		this.now = instant;
	}

	@Override
	public Instant instant() {
		return this.now;
	}

}

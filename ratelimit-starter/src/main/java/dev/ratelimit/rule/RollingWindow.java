package dev.ratelimit.rule;

import java.time.Duration;
import java.util.Optional;

/**
 * A window that has a length.
 *
 * @param length the length, which is always present
 */
record RollingWindow(Optional<Duration> length) implements RLWindow {

	private static final ValueRange RANGE = ValueRange.duration("window", MIN, MAX,
			"500ms, 2s, 1m, 24h or 1d, or a unit alone, such as s, minute or day");

	RollingWindow {
		RANGE.require(length.orElseThrow());
	}

	static RollingWindow parse(String text) {
		return new RollingWindow(Optional.of(RANGE.parseDuration(text)));
	}

	@Override
	public String toString() {
		return DurationText.of(this.length.orElseThrow());
	}

}

package dev.ratelimit.rule;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * A window that has a length.
 *
 * @param length the length, which is always present
 */
record RollingWindow(Optional<Duration> length) implements RLWindow {

	private static final ValueRange RANGE = ValueRange.duration("window", MIN, MAX,
			"500ms, 2s, 1m, 24h or 1d, or a unit alone, such as s, minute or day");

	/** Names of kinds to come, which are no misspelled durations. */
	private static final Set<String> OTHER_KINDS = Set.of("concurrent", "calendar-day", "calendar-week",
			"calendar-month");

	RollingWindow {
		RANGE.require(length.orElseThrow());
	}

	static RollingWindow parse(String text) {
		if (OTHER_KINDS.contains(text)) {
			throw new InvalidRuleException("window", text, "is of a kind that this version does not support",
					RANGE.cure());
		}
		return new RollingWindow(Optional.of(RANGE.parseDuration(text)));
	}

	@Override
	public String toString() {
		return DurationText.of(this.length.orElseThrow());
	}

}

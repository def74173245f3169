package dev.ratelimit.rule;

import java.time.Duration;

/**
 * The time in which a threshold counts. The algorithm defines when it begins. Windows are
 * ordered by their length.
 *
 * @param length the length; 1 ms to 400 days, in whole milliseconds
 */
public record RLWindow(Duration length) implements Comparable<RLWindow> {

	/** The shortest window. */
	public static final Duration MIN = Duration.ofMillis(1);

	/** The longest window. */
	public static final Duration MAX = Duration.ofDays(400);

	private static final ValueRange RANGE = ValueRange.duration("window", MIN, MAX,
			"500ms, 2s, 1m, 24h or 1d, or a unit alone, such as s, minute or day");

	public RLWindow {
		RANGE.require(length);
	}

	/**
	 * Read a window from its text.
	 * @param text a duration with its unit, such as {@code 500ms}, {@code 2s},
	 * {@code 24h}, or a unit alone, such as {@code s}, {@code minute}, {@code day}
	 * @return the window
	 * @throws InvalidRuleException if the text does not have that form or is out of range
	 */
	public static RLWindow valueOf(String text) {
		return new RLWindow(RANGE.parseDuration(text));
	}

	@Override
	public int compareTo(RLWindow other) {
		return this.length.compareTo(other.length);
	}

	/**
	 * The length in the largest unit that divides it.
	 * @return for example {@code 10s} or {@code 1500ms}
	 */
	@Override
	public String toString() {
		return DurationText.of(this.length);
	}

}

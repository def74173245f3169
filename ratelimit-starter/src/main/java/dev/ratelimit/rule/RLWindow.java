package dev.ratelimit.rule;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

/**
 * The time in which a threshold counts. Windows are ordered by their length. Sealed:
 * other kinds, such as calendar months, may follow.
 */
public sealed interface RLWindow extends Comparable<RLWindow> {

	/** The shortest window. */
	Duration MIN = Duration.ofMillis(1);

	/** The longest window. */
	Duration MAX = Duration.ofDays(400);

	/**
	 * The length of the window.
	 * @return 1 ms to 400 days, in whole milliseconds
	 */
	Duration length();

	@Override
	default int compareTo(RLWindow other) {
		return length().compareTo(other.length());
	}

	/**
	 * A window of a length that is always the same.
	 * @param length the length; 1 ms to 400 days, in whole milliseconds
	 * @return the window
	 * @throws InvalidRuleException if the length is out of range
	 */
	static RLWindow rolling(Duration length) {
		return new Rolling(length);
	}

	/**
	 * Read a window from its text.
	 * @param text a duration with its unit, such as {@code 500ms}, {@code 2s},
	 * {@code 24h}, or a unit alone, such as {@code s}, {@code minute}, {@code day}
	 * @return the window
	 * @throws InvalidRuleException if the text does not have that form or is out of range
	 */
	static RLWindow valueOf(String text) {
		Duration length = DurationText.parse("window", text, Rolling.CURE);
		Rolling.requireValid(length, text);
		return rolling(length);
	}

	/**
	 * A window of a length that is always the same. The algorithm defines when it begins.
	 *
	 * @param length the length; 1 ms to 400 days, in whole milliseconds
	 */
	record Rolling(Duration length) implements RLWindow {

		private static final String CURE = "Write a duration from 1ms to 400d with its unit, such as 500ms, 2s, 1m, "
				+ "24h or 1d, or a unit alone, such as s, minute or day";

		public Rolling {
			requireValid(length, length.toString());
		}

		private static void requireValid(Duration length, String text) {
			if (length.compareTo(MIN) < 0 || length.compareTo(MAX) > 0) {
				throw new InvalidRuleException("window", text, "is out of range", CURE);
			}
			if (!length.equals(length.truncatedTo(ChronoUnit.MILLIS))) {
				throw new InvalidRuleException("window", text, "is finer than a millisecond", CURE);
			}
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

}

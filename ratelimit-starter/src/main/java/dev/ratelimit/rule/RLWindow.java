package dev.ratelimit.rule;

import java.time.Duration;
import java.util.Optional;

/**
 * The window in which a threshold counts. Today every window is rolling: it has a length,
 * and the algorithm defines when it begins. Another kind may have no length, so whatever
 * shows a window asks for it.
 */
public sealed interface RLWindow permits RollingWindow {

	/** The shortest window. */
	Duration MIN = Duration.ofMillis(1);

	/** The longest window. */
	Duration MAX = Duration.ofDays(400);

	/**
	 * Create a rolling window.
	 * @param length the length; 1 ms to 400 days, in whole milliseconds
	 * @return the window
	 * @throws InvalidRuleException if the length is out of range
	 */
	static RLWindow of(Duration length) {
		return new RollingWindow(Optional.of(length));
	}

	/**
	 * Read a window from its text.
	 * @param text a duration with its unit, such as {@code 500ms}, {@code 2s},
	 * {@code 24h}, or a unit alone, such as {@code s}, {@code minute}, {@code day}
	 * @return the window
	 * @throws InvalidRuleException if the text does not have that form, is out of range,
	 * or names a kind of window that is not supported
	 */
	static RLWindow valueOf(String text) {
		return RollingWindow.parse(text);
	}

	/**
	 * The length of the window.
	 * @return the length; empty if it has none
	 */
	Optional<Duration> length();

	/**
	 * The window as text.
	 * @return the length in the largest unit that divides it, for example {@code 10s} or
	 * {@code 1500ms}
	 */
	@Override
	String toString();

}

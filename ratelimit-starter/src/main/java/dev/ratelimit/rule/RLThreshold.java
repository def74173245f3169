package dev.ratelimit.rule;

import java.time.Duration;

/**
 * One window of a rule: at most {@code threshold} permits in any {@code window}. The
 * algorithm defines the exact meaning around a window boundary, and that of the burst.
 *
 * @param threshold the number of permits; 1 to 999999999999999
 * @param window the window
 * @param burst the capacity of a bucket; equal to the threshold by default
 */
public record RLThreshold(long threshold, RLWindow window, long burst) {

	/** The largest threshold: 15 digits, so that sums stay exact in a double. */
	public static final long MAX_THRESHOLD = 999_999_999_999_999L;

	private static final String NUMBER_CURE = "Write a whole number from 1 to " + MAX_THRESHOLD
			+ " in plain digits, without a leading zero";

	private static final ValueRange THRESHOLD = ValueRange.number("threshold", 1, MAX_THRESHOLD, NUMBER_CURE);

	private static final ValueRange BURST = ValueRange.number("burst", 1, MAX_THRESHOLD, NUMBER_CURE);

	public RLThreshold {
		THRESHOLD.require(threshold);
		BURST.require(burst);
	}

	/**
	 * Create a threshold of a rolling window.
	 * @param threshold the number of permits
	 * @param window the length of the window
	 * @param burst the capacity of a bucket
	 */
	public RLThreshold(long threshold, Duration window, long burst) {
		this(threshold, RLWindow.of(window), burst);
	}

	/**
	 * Create a threshold of a rolling window, whose burst is the threshold itself.
	 * @param threshold the number of permits
	 * @param window the length of the window
	 */
	public RLThreshold(long threshold, Duration window) {
		this(threshold, window, threshold);
	}

	/**
	 * The same threshold with another burst.
	 * @param burst the capacity of the bucket
	 * @return the threshold
	 */
	public RLThreshold withBurst(long burst) {
		return new RLThreshold(this.threshold, this.window, burst);
	}

	/**
	 * Read the short form.
	 * @param text {@code <threshold>/<window>}, for example {@code 500/2s} or
	 * {@code 20/day}
	 * @return the threshold
	 * @throws InvalidRuleException if the text does not have that form or is out of range
	 */
	public static RLThreshold valueOf(String text) {
		int slash = text.indexOf('/');
		if (slash < 0) {
			throw new InvalidRuleException("thresholds", text, "has no window",
					"Write <threshold>/<window>, for example 500/2s, 1000/1m or 20/day");
		}
		if (text.indexOf(',', slash) >= 0 && text.lastIndexOf('/') > slash) {
			throw new InvalidRuleException("thresholds", text, "has more than one window",
					"Write each window as a text of its own: \"" + text.replaceAll("\\s*,\\s*", "\", \"") + "\"");
		}
		try {
			return of(text.substring(0, slash), text.substring(slash + 1));
		}
		catch (InvalidRuleException ex) {
			throw new InvalidRuleException("thresholds", text, "has a " + ex.property() + " that " + ex.reason(),
					ex.cure());
		}
	}

	/**
	 * Read a threshold and its window from their texts.
	 * @param threshold a whole number without sign, leading zero, exponent or separators
	 * @param window a duration with its unit, such as {@code 500ms}, {@code 2s},
	 * {@code 24h}, or a unit alone, such as {@code s}, {@code minute}, {@code day}
	 * @return the threshold
	 * @throws InvalidRuleException if one of them does not have that form or is out of
	 * range
	 */
	public static RLThreshold of(String threshold, String window) {
		long count = THRESHOLD.parse(threshold);
		return new RLThreshold(count, RLWindow.valueOf(window), count);
	}

	/**
	 * Read the threshold of a bucket from its texts.
	 * @param threshold a whole number, as in {@link #of(String, String)}
	 * @param window a duration, as in {@link #of(String, String)}
	 * @param burst the capacity of the bucket, a whole number like the threshold
	 * @return the threshold
	 * @throws InvalidRuleException if one of them does not have that form or is out of
	 * range
	 */
	public static RLThreshold of(String threshold, String window, String burst) {
		return of(threshold, window).withBurst(BURST.parse(burst));
	}

	/**
	 * The length of the window, for what counts in windows that have one: every algorithm
	 * and mode.
	 * @return the length
	 * @throws java.util.NoSuchElementException if the window has none
	 */
	public Duration windowLength() {
		return this.window.length().orElseThrow();
	}

	/**
	 * The short form, with the burst if it differs from the threshold.
	 * @return for example {@code 500/2s} or {@code 5/1m (burst 10)}
	 */
	@Override
	public String toString() {
		String text = this.threshold + "/" + this.window;
		return (this.burst != this.threshold) ? text + " (burst " + this.burst + ")" : text;
	}

}

package dev.ratelimit.rule;

import java.time.Duration;

/**
 * The durations that a key of a rule may have. They are whole milliseconds.
 *
 * @param key the key
 * @param shortest the shortest
 * @param longest the longest
 * @param examples some of them, as they are written
 */
record DurationRange(String key, Duration shortest, Duration longest, String examples) {

	/** The time of a lease, or between two synchronizations. */
	static DurationRange ofMode(String key) {
		return new DurationRange(key, Duration.ofMillis(10), Duration.ofMinutes(1), "500ms or 1s");
	}

	/** A time that a request spends waiting. */
	static DurationRange ofWait(String key, Duration shortest, Duration longest) {
		return new DurationRange(key, shortest, longest, "500ms, 2s or 1m");
	}

	/**
	 * Read a duration.
	 * @param text a duration with its unit
	 * @return the duration
	 * @throws InvalidRuleException if it is not valid, or out of range
	 */
	Duration parse(String text) {
		Duration duration = DurationText.parse(this.key, text, cure());
		require(duration, text);
		return duration;
	}

	/**
	 * Check a duration.
	 * @param duration the duration
	 * @throws InvalidRuleException if it is out of range
	 */
	void require(Duration duration) {
		require(duration, DurationText.of(duration));
	}

	private void require(Duration duration, String text) {
		if (duration.compareTo(this.shortest) < 0 || duration.compareTo(this.longest) > 0
				|| duration.toNanos() % 1_000_000 > 0) {
			throw new InvalidRuleException(this.key, text, "is out of range", cure());
		}
	}

	private String cure() {
		return "Write a duration from %s to %s with its unit, such as %s".formatted(DurationText.of(this.shortest),
				DurationText.of(this.longest), this.examples);
	}

}

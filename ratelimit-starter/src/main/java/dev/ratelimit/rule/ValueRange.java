package dev.ratelimit.rule;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The values that a key of a rule may have: whole numbers of a unit, from the smallest to
 * the largest.
 *
 * @param key the key
 * @param unit the unit
 * @param smallest the smallest value: a number, percents, milliseconds or bytes
 * @param largest the largest value
 * @param cure what to write instead of another value
 */
public record ValueRange(String key, Unit unit, long smallest, long largest, String cure) {

	private static final Pattern NUMBER = Pattern.compile("(0|[1-9][0-9]*)(%?)");

	private static final int MAX_DIGITS = Long.toString(RLThreshold.MAX_THRESHOLD).length();

	private static final List<String> SIZES = List.of("B", "KB", "MB", "GB");

	private static final Pattern SIZE = Pattern.compile("(0|[1-9][0-9]{0,8})(" + String.join("|", SIZES) + ")");

	/** Plain whole numbers. */
	public static ValueRange number(String key, long smallest, long largest, String cure) {
		return new ValueRange(key, Unit.NUMBER, smallest, largest, cure);
	}

	/** Numbers of things, at least one. */
	public static ValueRange count(String key, int largest) {
		return number(key, 1, largest, "Write a whole number from 1 to " + largest + ", such as 100");
	}

	/** Parts of a limit, up to all of it. */
	public static ValueRange percent(String key, int smallest, String examples) {
		return new ValueRange(key, Unit.PERCENT, smallest, 100,
				"Write a whole percentage from " + smallest + "% to 100%, such as " + examples);
	}

	/** Durations, in whole milliseconds. */
	public static ValueRange duration(String key, Duration shortest, Duration longest, String examples) {
		return new ValueRange(key, Unit.DURATION, shortest.toMillis(), longest.toMillis(),
				"Write a duration from %s to %s with its unit, such as %s".formatted(DurationText.of(shortest),
						DurationText.of(longest), examples));
	}

	/** Times between two calls of an instance or data centre. */
	public static ValueRange interval(String key) {
		return duration(key, Duration.ofMillis(10), Duration.ofMinutes(1), "500ms or 1s");
	}

	/** Sizes, in bytes. */
	public static ValueRange size(String key, long smallest, long largest, String example) {
		return new ValueRange(key, Unit.SIZE, smallest, largest, "Write a size from %s to %s with its unit, such as %s"
			.formatted(sizeText(smallest), sizeText(largest), example));
	}

	/**
	 * Read a value.
	 * @param text a whole number with its unit
	 * @return the value: a number, percents, milliseconds or bytes
	 * @throws InvalidRuleException if it does not have that form or is out of range
	 */
	public long parse(String text) {
		long value = switch (this.unit) {
			case NUMBER, PERCENT -> parseNumber(text);
			case DURATION -> DurationText.parse(this.key, text, this.cure).toMillis();
			case SIZE -> parseSize(text);
		};
		require(value, text);
		return value;
	}

	/**
	 * Read a duration.
	 * @param text a whole number with its unit
	 * @return the duration, in whole milliseconds
	 * @throws InvalidRuleException if it does not have that form or is out of range
	 */
	public Duration parseDuration(String text) {
		return Duration.ofMillis(parse(text));
	}

	private long parseNumber(String text) {
		Matcher matcher = NUMBER.matcher(text);
		if (!matcher.matches() || matcher.group(2).isEmpty() == (this.unit == Unit.PERCENT)) {
			throw noNumber(text);
		}
		String digits = matcher.group(1);
		return (digits.length() > MAX_DIGITS) ? Long.MAX_VALUE : Long.parseLong(digits);
	}

	private long parseSize(String text) {
		Matcher matcher = SIZE.matcher(text);
		if (!matcher.matches()) {
			throw invalid(text, "is not a size with its unit");
		}
		return Long.parseLong(matcher.group(1)) << (10 * SIZES.indexOf(matcher.group(2)));
	}

	/**
	 * Check a value.
	 * @param value the value: a number, percents, milliseconds or bytes
	 * @throws InvalidRuleException if it is out of range
	 */
	public void require(long value) {
		require(value, switch (this.unit) {
			case NUMBER -> Long.toString(value);
			case PERCENT -> value + "%";
			case DURATION -> DurationText.of(Duration.ofMillis(value));
			case SIZE -> sizeText(value);
		});
	}

	/**
	 * Check a duration.
	 * @param duration the duration
	 * @throws InvalidRuleException if it is out of range, or finer than a millisecond
	 */
	public void require(Duration duration) {
		if (!duration.equals(duration.truncatedTo(ChronoUnit.MILLIS))) {
			throw invalid(duration.toString(), "is finer than a millisecond");
		}
		require(duration.toMillis());
	}

	private void require(long value, String text) {
		if (this.unit == Unit.NUMBER && value < this.smallest) {
			throw noNumber(text);
		}
		if (value < this.smallest || value > this.largest) {
			throw invalid(text, "is out of range");
		}
	}

	private InvalidRuleException noNumber(String text) {
		return invalid(text, (this.unit == Unit.PERCENT) ? "is not a whole percentage"
				: "is not a whole number of at least " + this.smallest);
	}

	private InvalidRuleException invalid(String text, String reason) {
		return new InvalidRuleException(this.key, text, reason, this.cure);
	}

	/**
	 * Write a size in the largest unit that divides it.
	 * @param bytes the size
	 * @return for example {@code 64KB}
	 */
	public static String sizeText(long bytes) {
		long number = bytes;
		int unit = 0;
		while (number > 0 && number % 1024 == 0 && unit < SIZES.size() - 1) {
			number /= 1024;
			unit++;
		}
		return number + SIZES.get(unit);
	}

	/**
	 * The units of values.
	 */
	public enum Unit {

		/** None. */
		NUMBER,

		/** A hundredth of a limit. */
		PERCENT,

		/** A millisecond. */
		DURATION,

		/** A byte. */
		SIZE

	}

}

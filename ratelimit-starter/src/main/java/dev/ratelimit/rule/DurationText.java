package dev.ratelimit.rule;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses and formats durations.
 */
final class DurationText {

	private static final Pattern FORM = Pattern.compile("([1-9][0-9]*)?([A-Za-z]+)");

	private static final int MAX_DIGITS = Long.toString(RLWindow.MAX.toMillis()).length();

	private static final Map<String, Duration> UNITS = Map.ofEntries(Map.entry("ms", Duration.ofMillis(1)),
			Map.entry("s", Duration.ofSeconds(1)), Map.entry("second", Duration.ofSeconds(1)),
			Map.entry("m", Duration.ofMinutes(1)), Map.entry("minute", Duration.ofMinutes(1)),
			Map.entry("h", Duration.ofHours(1)), Map.entry("hour", Duration.ofHours(1)),
			Map.entry("d", Duration.ofDays(1)), Map.entry("day", Duration.ofDays(1)));

	private DurationText() {
	}

	/**
	 * Read a duration with its unit, or a unit alone.
	 * @param property the key of the duration
	 * @param text the text
	 * @param cure what to write instead if it is wrong
	 * @return the duration, which is positive
	 * @throws InvalidRuleException if it is not of that form
	 */
	static Duration parse(String property, String text, String cure) {
		Matcher matcher = FORM.matcher(text);
		if (!matcher.matches()) {
			throw new InvalidRuleException(property, text, "is not a positive duration with a unit", cure);
		}
		String count = (matcher.group(1) != null) ? matcher.group(1) : "";
		Duration unit = UNITS.get(matcher.group(2));
		if (unit == null || (!count.isEmpty() && matcher.group(2).length() > 2)) {
			throw new InvalidRuleException(property, text,
					"has an unknown unit (the units are ms, s, m, h and d, in lower case)", cure);
		}
		if (count.length() > MAX_DIGITS) {
			throw new InvalidRuleException(property, text, "is out of range", cure);
		}
		return count.isEmpty() ? unit : unit.multipliedBy(Long.parseLong(count));
	}

	/**
	 * Write a duration in the largest unit that divides it.
	 * @param duration a duration in whole milliseconds
	 * @return for example {@code 10s} or {@code 1500ms}
	 */
	static String of(Duration duration) {
		long millis = duration.toMillis();
		if (millis % 86_400_000 == 0) {
			return millis / 86_400_000 + "d";
		}
		if (millis % 3_600_000 == 0) {
			return millis / 3_600_000 + "h";
		}
		if (millis % 60_000 == 0) {
			return millis / 60_000 + "m";
		}
		return (millis % 1000 == 0) ? millis / 1000 + "s" : millis + "ms";
	}

}

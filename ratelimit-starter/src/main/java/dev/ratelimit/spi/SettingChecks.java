package dev.ratelimit.spi;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLConfig;

import org.springframework.boot.convert.DurationStyle;

/**
 * Checks the settings besides the rules. Each check throws an
 * {@link InvalidSettingsException} that names property, value and cure.
 */
public final class SettingChecks {

	private SettingChecks() {
	}

	/**
	 * Require something.
	 * @param valid whether it holds
	 * @param property the name of the setting after {@code ratelimit.}
	 * @param value its value
	 * @param reason what is wrong: a clause that completes "the value ..."
	 * @param cure what to write instead: a sentence without its full stop
	 * @throws InvalidSettingsException if it does not hold
	 */
	public static void require(boolean valid, String property, Object value, String reason, String cure) {
		if (!valid) {
			throw invalid(property, value.toString(), reason, cure);
		}
	}

	/**
	 * Require a text of some form.
	 * @param property the name of the setting after {@code ratelimit.}
	 * @param value its value
	 * @param pattern a regular expression of the whole value
	 * @param reason what is wrong with others
	 * @param cure what to write instead
	 * @throws InvalidSettingsException if it has another form
	 */
	public static void matches(String property, String value, String pattern, String reason, String cure) {
		require(Pattern.matches(pattern, value), property, value, reason, cure);
	}

	/**
	 * Require a number of some range.
	 * @param property the name of the setting after {@code ratelimit.}
	 * @param value its value
	 * @param min the smallest number
	 * @param max the largest number
	 * @throws InvalidSettingsException if it is out of range
	 */
	public static void between(String property, int value, int min, int max) {
		require(value >= min && value <= max, property, value, "is out of range",
				"Use a whole number from " + min + " to " + max);
	}

	/**
	 * Require a duration of some range.
	 * @param property the name of the setting after {@code ratelimit.}
	 * @param value its value
	 * @param min the shortest one, as it is written in the configuration
	 * @param max the longest one
	 * @throws InvalidSettingsException if it is out of range
	 */
	public static void between(String property, Duration value, String min, String max) {
		require(value.compareTo(DurationStyle.SIMPLE.parse(min)) >= 0
				&& value.compareTo(DurationStyle.SIMPLE.parse(max)) <= 0, property, value, "is out of range",
				"Use a duration from " + min + " to " + max);
	}

	/**
	 * Require a path pattern, as rules have them.
	 * @param property the name of the setting after {@code ratelimit.}
	 * @param value its value
	 * @throws InvalidSettingsException if it is none
	 */
	public static void requirePath(String property, String value) {
		try {
			RLConfig.requirePath(value);
		}
		catch (InvalidRuleException ex) {
			throw invalid(property, value, ex.reason(), ex.cure());
		}
	}

	/**
	 * Report a setting.
	 * @param property its name after {@code ratelimit.}
	 * @param value its value
	 * @param reason what is wrong
	 * @param cure what to write instead
	 * @return the exception to throw
	 */
	public static InvalidSettingsException invalid(String property, String value, String reason, String cure) {
		return new InvalidSettingsException(
				List.of(new Problem("ratelimit." + property, value, Optional.empty(), reason, cure)));
	}

}

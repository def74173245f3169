package dev.ratelimit.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import dev.ratelimit.method.annotated.InvalidAnnotationException;
import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.config.InvalidSettingsException;
import dev.ratelimit.rule.config.Problem;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;

import org.springframework.boot.convert.DurationStyle;

/**
 * Checks the settings besides the rules. Each check throws an
 * {@link InvalidSettingsException} that names property, value and cure.
 */
final class SettingChecks {

	/**
	 * Braces would change the hash tag of a key; the other characters are unreadable in a
	 * log.
	 */
	private static final Pattern NOT_IN_KEY_PREFIX = Pattern.compile("[{}\\p{Z}\\p{C}]");

	private SettingChecks() {
	}

	static void require(boolean valid, String property, Object value, String reason, String cure) {
		if (!valid) {
			throw invalid(property, value.toString(), reason, cure);
		}
	}

	static void matches(String property, String value, String pattern, String reason, String cure) {
		require(Pattern.matches(pattern, value), property, value, reason, cure);
	}

	static void between(String property, int value, int min, int max) {
		require(value >= min && value <= max, property, value, "is out of range",
				"Use a whole number from " + min + " to " + max);
	}

	/** The bounds are written as in the configuration. */
	static void between(String property, Duration value, String min, String max) {
		require(value.compareTo(DurationStyle.SIMPLE.parse(min)) >= 0
				&& value.compareTo(DurationStyle.SIMPLE.parse(max)) <= 0, property, value, "is out of range",
				"Use a duration from " + min + " to " + max);
	}

	static void requirePath(String property, String value) {
		try {
			RLConfig.requirePath(value);
		}
		catch (InvalidRuleException ex) {
			throw invalid(property, value, ex.reason(), ex.cure());
		}
	}

	static void requireFile(String property, String value) {
		require(isFile(value), property, value, "is no path of a file",
				"Write it without any prefix, such as /etc/my-application/rate-limits.yml");
	}

	private static boolean isFile(String value) {
		try {
			return !value.isBlank() && !value.startsWith("file:") && !value.startsWith("classpath:")
					&& Path.of(value).getFileName() != null;
		}
		catch (InvalidPathException ex) {
			return false;
		}
	}

	static void requireKeyPrefix(String property, String value) {
		int bytes = value.getBytes(StandardCharsets.UTF_8).length;
		require(bytes >= 1 && bytes <= RedisStoreSettings.MAX_PREFIX_BYTES && !NOT_IN_KEY_PREFIX.matcher(value).find(),
				property, value, "cannot start a Redis key", "Use 1 to " + RedisStoreSettings.MAX_PREFIX_BYTES
						+ " bytes without braces, blanks and control characters");
	}

	/**
	 * Derive a key prefix from a text that was not written as one.
	 * @param text the text
	 * @return the text, with a dash for every character that a prefix must not have
	 * @throws InvalidSettingsException if it is too long
	 */
	static String keyPrefix(String text) {
		String prefix = NOT_IN_KEY_PREFIX.matcher(text).replaceAll("-");
		requireKeyPrefix("key-prefix", prefix);
		return prefix;
	}

	/**
	 * Create an object from settings. An error found then fails the start as readably as
	 * one found while settings are read.
	 * @param <T> the type of the object
	 * @param maker creates it
	 * @return the object
	 * @throws InvalidSettingsException if a setting is not valid
	 * @throws InvalidAnnotationException if an annotation is not valid
	 */
	static <T> T explain(Supplier<T> maker) {
		try {
			return maker.get();
		}
		catch (InvalidAnnotationException ex) {
			throw ex;
		}
		catch (InvalidRuleException ex) {
			throw invalid(ex.property(), ex.value(), ex.reason(), ex.cure());
		}
	}

	static InvalidSettingsException invalid(String property, String value, String reason, String cure) {
		return new InvalidSettingsException(
				List.of(new Problem("ratelimit." + property, value, Optional.empty(), reason, cure)));
	}

}

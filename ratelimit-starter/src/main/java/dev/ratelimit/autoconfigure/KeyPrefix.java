package dev.ratelimit.autoconfigure;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

import dev.ratelimit.spi.InvalidSettingsException;
import dev.ratelimit.spi.SettingChecks;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The start of every key in a shared store.
 */
final class KeyPrefix {

	private static final Log logger = LogFactory.getLog(KeyPrefix.class);

	/**
	 * Braces would change the hash tag of a key; the other characters are unreadable in a
	 * log.
	 */
	private static final Pattern NOT_IN_KEY_PREFIX = Pattern.compile("[{}\\p{Z}\\p{C}]");

	private KeyPrefix() {
	}

	/**
	 * The configured prefix, or one made of the application's name. Logs a warning if
	 * there is neither.
	 * @param properties the settings
	 * @param environment has the name of the application
	 * @param store the store, as the warning names it
	 * @return 1 to 80 bytes without braces, blanks and control characters
	 * @throws dev.ratelimit.spi.InvalidSettingsException if the name is too long
	 */
	public static String of(RateLimitProperties properties, Environment environment, String store) {
		if (properties.keyPrefix() != null) {
			return properties.keyPrefix();
		}
		String application = environment.getProperty("spring.application.name", "");
		if (StringUtils.hasText(application)) {
			return keyPrefix("rl:" + application);
		}
		logger.warn("Neither spring.application.name nor ratelimit.key-prefix is set, so keys in " + store
				+ " begin with 'rl': another application without a name on the same " + store
				+ " counts the same clients under rules of the same id together with this one. Set one of the two.");
		return "rl";
	}

	static void requireKeyPrefix(String property, String value) {
		int bytes = value.getBytes(StandardCharsets.UTF_8).length;
		SettingChecks.require(
				bytes >= 1 && bytes <= RedisStoreSettings.MAX_PREFIX_BYTES && !NOT_IN_KEY_PREFIX.matcher(value).find(),
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

}

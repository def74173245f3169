package dev.ratelimit.autoconfigure;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * The start of every key in a shared store.
 */
public final class KeyPrefix {

	private static final Log logger = LogFactory.getLog(KeyPrefix.class);

	private KeyPrefix() {
	}

	/**
	 * The configured prefix, or one made of the application's name. Logs a warning if
	 * there is neither.
	 * @param properties the settings
	 * @param environment has the name of the application
	 * @param store the store, as the warning names it
	 * @return 1 to 80 bytes without braces, blanks and control characters
	 * @throws dev.ratelimit.rule.config.InvalidSettingsException if the name is too long
	 */
	public static String of(RateLimitProperties properties, Environment environment, String store) {
		if (properties.keyPrefix() != null) {
			return properties.keyPrefix();
		}
		String application = environment.getProperty("spring.application.name", "");
		if (StringUtils.hasText(application)) {
			return SettingChecks.keyPrefix("rl:" + application);
		}
		logger.warn("Neither spring.application.name nor ratelimit.key-prefix is set, so keys in " + store
				+ " begin with 'rl': another application without a name on the same " + store
				+ " counts the same clients under rules of the same id together with this one. Set one of the two.");
		return "rl";
	}

}

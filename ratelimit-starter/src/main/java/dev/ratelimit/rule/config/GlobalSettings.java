package dev.ratelimit.rule.config;

import java.util.List;
import java.util.regex.Pattern;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.ValueKind;

/**
 * Checks the settings besides the rules for mistakes that Boot's binding accepts: empty
 * values, numbers with a fraction, which it truncates, and settings of a store that is
 * not chosen.
 */
final class GlobalSettings {

	private static final String MEMCACHED = "memcached";

	private static final Pattern WHOLE_NUMBER = Pattern.compile("0|-?[1-9][0-9]*");

	private GlobalSettings() {
	}

	static void check(Settings settings, Findings findings) {
		KeyReader keys = new KeyReader(settings, SettingNames.PREFIX, List.of(SettingNames.PREFIX), findings);
		settings.names()
			.globals()
			.forEach((key, form) -> keys.find(key)
				.ifPresent((setting) -> keys.many(setting, List::of, (text) -> check(text, form))));
		String store = keys.one("store", (text) -> text).orElse("redis");
		if (!PropertyNames.uniform(store).equals(MEMCACHED)) {
			warnOfUnused(settings, store, findings);
		}
	}

	/**
	 * No error, because a profile, such as that of the tests, may choose another store.
	 */
	private static void warnOfUnused(Settings settings, String store, Findings findings) {
		String unused = SettingNames.PREFIX + "." + MEMCACHED;
		settings.anyOf(unused)
			.stream()
			.flatMap((all) -> all.source().values().stream())
			.filter((setting) -> setting.text().isPresent() && setting.name().startsWith(unused + "."))
			.findFirst()
			.ifPresent((setting) -> findings.warning(
					"%s (%s) has no effect, because ratelimit.store is %s. Set it to memcached, or remove the settings below %s"
						.formatted(setting.name(), setting.origin(), store, unused)));
	}

	private static String check(String text, ValueKind form) {
		if (form == ValueKind.NUMBER && !WHOLE_NUMBER.matcher(text).matches()) {
			throw new InvalidRuleException("", text, "is not a whole number",
					"Write plain digits, without a leading zero");
		}
		return text;
	}

}

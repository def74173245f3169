package dev.ratelimit.rule.source;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

import dev.ratelimit.rule.InvalidRuleException;
import dev.ratelimit.rule.ValueKind;

/**
 * Checks the settings besides the rules for mistakes that Boot's binding accepts: empty
 * values, numbers with a fraction, which it truncates, and settings of a store that is
 * not chosen.
 */
final class GlobalSettings {

	private static final Pattern WHOLE_NUMBER = Pattern.compile("0|-?[1-9][0-9]*");

	private GlobalSettings() {
	}

	static void check(Settings settings, SettingNames names, Findings findings) {
		names.globals().forEach((key, form) -> {
			String name = SettingNames.PREFIX + "." + key;
			Optional<SourceSettings> source = settings.source(name);
			if (source.isPresent()) {
				List<String> elements = source.get().find(name).isPresent() ? List.of(name)
						: source.get().elements(name);
				elements.stream()
					.flatMap((element) -> source.get().find(element).stream())
					.forEach((setting) -> findings.convert(setting, (text) -> check(settings.resolve(setting), form)));
			}
		});
		warnOfUnused(settings, findings);
	}

	/**
	 * No error, because a profile, such as that of the tests, may choose another store.
	 */
	private static void warnOfUnused(Settings settings, Findings findings) {
		String name = SettingNames.PREFIX + ".store";
		String store = settings.source(name)
			.flatMap((source) -> source.find(name))
			.flatMap((setting) -> findings.convert(setting, (text) -> settings.resolve(setting).strip()))
			.orElse("redis");
		if (!PropertyNames.uniform(store).equals(SettingNames.MEMCACHED)) {
			String unused = SettingNames.PREFIX + "." + SettingNames.MEMCACHED;
			settings.anyOf(unused)
				.ifPresent((setting) -> findings
					.warning("%s (%s) has no effect, because %s is %s. Set it to %s, or remove the settings below %s"
						.formatted(setting.name(), setting.origin(), name, store, SettingNames.MEMCACHED, unused)));
		}
	}

	private static String check(String text, ValueKind form) {
		if (form == ValueKind.NUMBER && !WHOLE_NUMBER.matcher(text).matches()) {
			throw new InvalidRuleException("", text, "is not a whole number",
					"Write plain digits, without a leading zero");
		}
		return text;
	}

}

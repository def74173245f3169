package dev.ratelimit.rule.source;

import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

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

	static void check(Settings settings, Findings findings) {
		settings.names()
			.globals()
			.forEach((key, form) -> settings.find(SettingNames.PREFIX + "." + key)
				.ifPresent((setting) -> Stream.concat(Stream.of(setting), setting.elements().stream())
					.forEach((element) -> convert(element, settings, findings, (text) -> check(text, form)))));
		warnOfUnused(settings, findings);
	}

	private static Optional<String> convert(Setting setting, Settings settings, Findings findings,
			UnaryOperator<String> converter) {
		return setting.text()
			.flatMap(
					(written) -> findings.convert(setting, written, (text) -> converter.apply(settings.resolve(text))));
	}

	/**
	 * No error, because a profile, such as that of the tests, may choose another store.
	 */
	private static void warnOfUnused(Settings settings, Findings findings) {
		String name = SettingNames.PREFIX + ".store";
		String store = settings.find(name)
			.flatMap((setting) -> convert(setting, settings, findings, String::strip))
			.orElse("redis");
		if (!PropertyNames.uniform(store).equals(SettingNames.MEMCACHED)) {
			String unused = SettingNames.PREFIX + "." + SettingNames.MEMCACHED;
			settings.anyOf(unused)
				.stream()
				.flatMap((all) -> all.source().values().stream())
				.filter((setting) -> setting.text().isPresent() && setting.name().startsWith(unused + "."))
				.findFirst()
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

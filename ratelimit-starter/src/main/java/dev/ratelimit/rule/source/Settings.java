package dev.ratelimit.rule.source;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

import dev.ratelimit.rule.InvalidRuleException;

import org.springframework.boot.context.properties.source.ConfigurationPropertySource;

/**
 * The settings of all property sources. As in Boot, the first source with a value
 * provides it, and a list is taken as a whole from the first source that has any part of
 * it.
 */
final class Settings {

	private final List<SourceSettings> sources;

	private final RuleNames rules;

	private final UnaryOperator<String> placeholders;

	private Settings(List<SourceSettings> sources, RuleNames rules, UnaryOperator<String> placeholders) {
		this.sources = sources;
		this.rules = rules;
		this.placeholders = placeholders;
	}

	/**
	 * Read the settings.
	 * @param sources the property sources, the highest precedence first
	 * @param names the known names
	 * @param placeholders resolves the placeholders of a value, or throws
	 * IllegalArgumentException
	 * @param findings collects errors in the names
	 * @return the settings
	 */
	static Settings of(Iterable<ConfigurationPropertySource> sources, SettingNames names,
			UnaryOperator<String> placeholders, Findings findings) {
		List<List<WrittenSetting>> written = new ArrayList<>();
		sources.forEach((source) -> written.add(WrittenSetting.of(source)));
		return ofWritten(written, names, placeholders, findings);
	}

	/**
	 * Assign written settings to their meanings.
	 * @param written the settings of each source, the highest precedence first
	 * @param names the known names
	 * @param placeholders resolves the placeholders of a value, or throws
	 * IllegalArgumentException
	 * @param findings collects errors in the names
	 * @return the settings
	 */
	static Settings ofWritten(List<List<WrittenSetting>> written, SettingNames names,
			UnaryOperator<String> placeholders, Findings findings) {
		RuleNames rules = new RuleNames(written, findings);
		return new Settings(
				written.stream().map((source) -> new SourceSettings(source, names, rules, findings)).toList(), rules,
				placeholders);
	}

	/**
	 * The names that the user chose.
	 * @return the ids of the rules, and their plans
	 */
	RuleNames rules() {
		return this.rules;
	}

	/**
	 * The source that provides a value.
	 * @param name the canonical name of the value
	 * @return the first source that has it or a part of it
	 */
	Optional<SourceSettings> source(String name) {
		return this.sources.stream().filter((source) -> source.contains(name)).findFirst();
	}

	/**
	 * A setting below a name, such as that of a rule, to show where it was written.
	 * @param name the name
	 * @return one of the settings, from the source with the lowest precedence
	 */
	Optional<Setting> anyOf(String name) {
		return this.sources.stream().flatMap((source) -> source.first(name).stream()).reduce((first, last) -> last);
	}

	/**
	 * Resolve the placeholders of a setting.
	 * @param setting the setting
	 * @return the value
	 * @throws InvalidRuleException if one cannot be resolved, or if the result is empty
	 */
	String resolve(Setting setting) {
		String text;
		try {
			text = this.placeholders.apply(setting.text());
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException(setting.name(), setting.text(), "has a placeholder that cannot be resolved",
					"Define it, or give it a default: ${name:default}");
		}
		if (text.isBlank()) {
			throw new InvalidRuleException(setting.name(), setting.text(), "is empty",
					"Give it a value, or remove the name (in YAML a # begins a comment; quote a value that has one)");
		}
		return text;
	}

}

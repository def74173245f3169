package dev.ratelimit.rule.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

import dev.ratelimit.rule.InvalidRuleException;

/**
 * The settings of all property sources. As in Boot, the first source with a value
 * provides it, and a list is taken as a whole from the first source that has any part of
 * it.
 */
final class Settings {

	private final SettingNames names;

	private final UnaryOperator<String> placeholders;

	/** From the source with the highest precedence that has it. */
	private final Map<String, Setting> first = new HashMap<>();

	/** From the source with the lowest precedence that has it. */
	private final Map<String, Setting> last = new HashMap<>();

	/**
	 * Assign written settings to their meanings.
	 * @param written the settings of each source, the highest precedence first
	 * @param names the known names
	 * @param placeholders resolves the placeholders of a value, or throws
	 * IllegalArgumentException
	 * @param findings collects errors in the names
	 */
	Settings(List<List<WrittenSetting>> written, SettingNames names, UnaryOperator<String> placeholders,
			Findings findings) {
		this.names = names;
		this.placeholders = placeholders;
		for (int i = written.size() - 1; i >= 0; i--) {
			names.declare(written.get(i), findings);
		}
		written.forEach(names::declareVariables);
		for (List<WrittenSetting> source : written) {
			Setting.of(source, names, findings).forEach((name, setting) -> {
				this.first.putIfAbsent(name, setting);
				this.last.put(name, setting);
			});
		}
	}

	/**
	 * The known names.
	 * @return the names, with those of all rules and plans
	 */
	SettingNames names() {
		return this.names;
	}

	/**
	 * Find a value.
	 * @param name the canonical name of the value
	 * @return the value in the first source that has it or a part of it
	 */
	Optional<Setting> find(String name) {
		return Optional.ofNullable(this.first.get(name));
	}

	/**
	 * A setting below a name, such as that of a rule, to show where it was written.
	 * @param name the name
	 * @return the value in the source with the lowest precedence
	 */
	Optional<Setting> anyOf(String name) {
		return Optional.ofNullable(this.last.get(name));
	}

	/**
	 * Resolve the placeholders of a text.
	 * @param written the text as it was written
	 * @return the text
	 * @throws InvalidRuleException if one cannot be resolved, or if the result is empty
	 */
	String resolve(String written) {
		String text;
		try {
			text = this.placeholders.apply(written);
		}
		catch (IllegalArgumentException ex) {
			throw new InvalidRuleException("", written, "has a placeholder that cannot be resolved",
					"Define it, or give it a default: ${name:default}");
		}
		if (text.isBlank()) {
			throw new InvalidRuleException("", written, "is empty",
					"Give it a value, or remove the name (in YAML a # begins a comment; quote a value that has one)");
		}
		return text;
	}

}

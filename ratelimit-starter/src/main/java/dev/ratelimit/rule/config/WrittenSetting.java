package dev.ratelimit.rule.config;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.env.PropertySourceInfo;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * A setting as a property source holds it, before the meaning of its name is known.
 *
 * @param elements the elements of its name, the prefix first
 * @param isVariable whether it is an environment variable, in whose name an underscore
 * replaces a dot, a bracket and perhaps a dash
 * @param spelling its name in the property source's own spelling
 * @param text its value as it was written
 * @param origin where it was written
 */
record WrittenSetting(List<String> elements, boolean isVariable, String spelling, String text, Origin origin) {

	/**
	 * Read the settings of the limiter in a property source.
	 * @param source the source; one that cannot list its names provides none
	 * @return its settings
	 */
	static List<WrittenSetting> of(ConfigurationPropertySource source) {
		return (source.getUnderlyingSource() instanceof EnumerablePropertySource<?> properties) ? of(properties)
				: List.of();
	}

	/**
	 * Reads the source by its own names, because Boot's adapted names drop stray
	 * characters.
	 */
	static List<WrittenSetting> of(EnumerablePropertySource<?> source) {
		boolean isVariable = source instanceof SystemEnvironmentPropertySource;
		String prefix = prefix(source);
		List<WrittenSetting> settings = new ArrayList<>();
		WrittenScalars scalars = new WrittenScalars();
		for (String spelling : names(source, prefix)) {
			List<String> elements = isVariable ? elementsOfVariable(spelling, prefix)
					: PropertyNames.elements(spelling);
			if (!elements.isEmpty() && PropertyNames.uniform(elements.get(0)).equals(SettingNames.PREFIX)) {
				Origin origin = PropertySourceOrigin.get(source, spelling);
				Object value = source.getProperty(spelling);
				settings.add(new WrittenSetting(elements, isVariable, spelling,
						(value != null) ? scalars.textOf(value, origin) : "", origin));
			}
		}
		return settings;
	}

	/** Without most names that are not ours, because there are many. */
	private static List<String> names(EnumerablePropertySource<?> source, String prefix) {
		return Arrays.stream(source.getPropertyNames())
			.filter((name) -> PropertyNames.uniform(name).startsWith(prefix + SettingNames.PREFIX))
			.toList();
	}

	/** What an application prepends to its variables, without separators. */
	private static String prefix(EnumerablePropertySource<?> source) {
		String prefix = (source instanceof PropertySourceInfo info) ? info.getPrefix() : null;
		return (prefix != null) ? PropertyNames.uniform(prefix.replace(".", "")) : "";
	}

	private static List<String> elementsOfVariable(String name, String prefix) {
		List<String> elements = Arrays.asList(name.toLowerCase(Locale.ROOT).split("[._\\[\\]]+"));
		int first = 0;
		for (int length = 0; length < prefix.length(); first++) {
			length += elements.get(first).length();
		}
		return elements.subList(first, elements.size());
	}

	/**
	 * Whether it is at or below a name.
	 * @param name the name after the prefix, without dashes
	 * @return whether its name starts so
	 */
	boolean isBelow(String name) {
		return (uniform() + ".").startsWith(SettingNames.PREFIX + "." + name + ".")
				&& this.elements.size() > name.split("\\.").length;
	}

	/**
	 * Whether Boot finds it by a name. It finds an environment variable only if all
	 * dashes of the name are left out, or all are underscores.
	 * @param name the canonical name
	 * @return whether its name is a spelling of that one
	 */
	boolean isSpellingOf(String name) {
		String dotted = name.replace('[', '.').replace("]", "");
		return uniform().equals(PropertyNames.uniform(dotted))
				|| (this.isVariable && uniform().equals(dotted.replace('-', '.')));
	}

	private String uniform() {
		return PropertyNames.uniform(String.join(".", this.elements));
	}

}

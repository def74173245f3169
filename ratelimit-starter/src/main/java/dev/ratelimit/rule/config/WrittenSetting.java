package dev.ratelimit.rule.config;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * A setting as a property source holds it, before the meaning of its name is known.
 *
 * @param elements the elements of its name, the prefix first
 * @param isVariable whether it is an environment variable, in whose name an underscore
 * may replace a dot, a dash or a bracket
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
		Object underlying = source.getUnderlyingSource();
		if (underlying instanceof SystemEnvironmentPropertySource
				&& source instanceof IterableConfigurationPropertySource variables) {
			return ofEnvironment(variables);
		}
		return (underlying instanceof EnumerablePropertySource<?> properties) ? ofProperties(properties) : List.of();
	}

	private static List<WrittenSetting> ofEnvironment(IterableConfigurationPropertySource source) {
		List<WrittenSetting> settings = new ArrayList<>();
		for (ConfigurationPropertyName name : source) {
			List<String> elements = IntStream.range(0, name.getNumberOfElements())
				.mapToObj((index) -> name.getElement(index, Form.UNIFORM))
				.toList();
			ConfigurationProperty property = isOurs(elements) ? source.getConfigurationProperty(name) : null;
			if (property != null && property.getOrigin() instanceof PropertySourceOrigin origin) {
				settings.add(new WrittenSetting(elements, true, origin.getPropertyName(),
						String.valueOf(property.getValue()), origin));
			}
		}
		return settings;
	}

	/**
	 * Reads the source by its own names, because Boot's adapted names drop stray
	 * characters.
	 */
	static List<WrittenSetting> ofProperties(EnumerablePropertySource<?> source) {
		List<WrittenSetting> settings = new ArrayList<>();
		WrittenScalars scalars = new WrittenScalars();
		for (String spelling : source.getPropertyNames()) {
			List<String> elements = PropertyNames.elements(spelling);
			if (isOurs(elements)) {
				Origin origin = PropertySourceOrigin.get(source, spelling);
				Object value = source.getProperty(spelling);
				settings.add(new WrittenSetting(elements, false, spelling,
						(value != null) ? scalars.textOf(value, origin) : "", origin));
			}
		}
		return settings;
	}

	/**
	 * Whether it is below a name.
	 * @param name the name after the prefix, without dashes
	 * @return whether its name starts so
	 */
	boolean isBelow(String name) {
		List<String> parent = PropertyNames.elements(name);
		return this.elements.size() > parent.size() && IntStream.range(0, parent.size())
			.allMatch((index) -> PropertyNames.uniform(this.elements.get(index + 1)).equals(parent.get(index)));
	}

	private static boolean isOurs(List<String> elements) {
		return !elements.isEmpty() && PropertyNames.uniform(elements.get(0)).equals(SettingNames.PREFIX);
	}

}

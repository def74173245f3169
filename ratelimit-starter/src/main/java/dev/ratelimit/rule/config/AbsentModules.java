package dev.ratelimit.rule.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;

import dev.ratelimit.rule.AbsentModule;

import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.support.PropertiesLoaderUtils;

/**
 * What belongs to modules that are not on the class path: settings, keys and values. It
 * is read where a name or a value is unknown.
 */
final class AbsentModules {

	static final String RESOURCE = "META-INF/ratelimit-modules.properties";

	/** By names after the prefix, in their uniform spelling. */
	private final Map<String, AbsentModule> owners = new HashMap<>();

	private AbsentModules(Set<String> present) {
		try {
			Properties all = PropertiesLoaderUtils
				.loadProperties(new ClassPathResource(RESOURCE, AbsentModules.class.getClassLoader()));
			all.stringPropertyNames()
				.stream()
				.filter((name) -> !present.contains(all.getProperty(name)))
				.forEach((name) -> this.owners.put(PropertyNames.uniform(name),
						new AbsentModule(all.getProperty(name))));
		}
		catch (IOException ex) {
			throw new UncheckedIOException("Cannot read " + RESOURCE, ex);
		}
	}

	static AbsentModules besides(Set<String> present) {
		return new AbsentModules(present);
	}

	/**
	 * The owner of a value of a key of rules.
	 * @param value the key, a dot and the value
	 */
	Optional<AbsentModule> ofValue(String value) {
		return Optional.ofNullable(this.owners.get(PropertyNames.uniform(SettingNames.RULES + "." + value)));
	}

	/** The owner of a setting, which is that of a name that it stands below. */
	Optional<AbsentModule> ofSetting(WrittenSetting setting) {
		List<String> elements = setting.elements();
		boolean isOfRule = setting.isBelow(SettingNames.RULES) && elements.size() > 2;
		boolean isDefault = setting.isBelow(SettingNames.DEFAULTS);
		String name = (isOfRule || isDefault)
				? SettingNames.RULES + "." + String.join(".", elements.subList(isOfRule ? 3 : 2, elements.size()))
				: String.join(".", elements.subList(1, elements.size()));
		String uniform = PropertyNames.uniform(name) + ".";
		return this.owners.keySet()
			.stream()
			.filter((owned) -> uniform.startsWith(owned + "."))
			.findFirst()
			.map(this.owners::get);
	}

}

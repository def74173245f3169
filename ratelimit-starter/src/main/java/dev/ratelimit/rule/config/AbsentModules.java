package dev.ratelimit.rule.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.IntStream;

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

	/**
	 * The owner of a setting: that of a name that it is, stands below, or stands above.
	 * In a variable, an underscore may also replace a dash, or stand in the id of a rule.
	 */
	Optional<AbsentModule> ofSetting(WrittenSetting setting) {
		List<String> elements = setting.elements();
		boolean isOfRule = setting.isBelow(SettingNames.RULES) && elements.size() > 2;
		boolean isDefault = setting.isBelow(SettingNames.DEFAULTS);
		if (!isOfRule && !isDefault) {
			return owner((owned, name) -> name.startsWith(owned),
					String.join(".", elements.subList(1, elements.size())));
		}
		int first = isOfRule ? 3 : 2;
		int last = (isOfRule && setting.isVariable()) ? elements.size() - 1 : first;
		return IntStream.rangeClosed(first, Math.min(last, elements.size() - 1))
			.mapToObj((from) -> String.join(".", elements.subList(from, elements.size())))
			.flatMap(
					(name) -> owner(
							(owned, key) -> key.startsWith(owned) || owned.startsWith(key)
									|| (setting.isVariable() && flat(key).equals(flat(owned))),
							SettingNames.RULES + "." + name)
						.stream())
			.findFirst();
	}

	private Optional<AbsentModule> owner(BiPredicate<String, String> owns, String name) {
		String uniform = PropertyNames.uniform(name) + ".";
		return this.owners.keySet()
			.stream()
			.filter((owned) -> owns.test(owned + ".", uniform))
			.findFirst()
			.map(this.owners::get);
	}

	private static String flat(String name) {
		return name.replace(".", "");
	}

}

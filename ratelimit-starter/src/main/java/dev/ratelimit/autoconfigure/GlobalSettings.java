package dev.ratelimit.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.Map;
import java.util.TreeMap;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;

/**
 * The names of all settings beside the rules, so that any other name can be refused.
 */
final class GlobalSettings {

	private GlobalSettings() {
	}

	/**
	 * The settings and their types.
	 * @return by name after {@code ratelimit.}, for example {@code redis.max-connections}
	 */
	static Map<String, Class<?>> types() {
		Map<String, Class<?>> types = new TreeMap<>();
		collect("", RateLimitProperties.class, types);
		return types;
	}

	private static void collect(String prefix, Class<?> type, Map<String, Class<?>> types) {
		for (RecordComponent component : type.getRecordComponents()) {
			String name = prefix + DataObjectPropertyName.toDashedForm(component.getName());
			if (component.getType().isRecord()) {
				collect(name + ".", component.getType(), types);
			}
			else {
				types.put(name, component.getType());
			}
		}
	}

}

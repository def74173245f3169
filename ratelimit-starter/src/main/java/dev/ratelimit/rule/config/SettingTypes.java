package dev.ratelimit.rule.config;

import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.core.ResolvableType;

/**
 * The names and types of the settings that a record of properties binds.
 */
public final class SettingTypes {

	private SettingTypes() {
	}

	/**
	 * Find the settings of a record and of its nested records. An asterisk stands for a
	 * name that the user chooses.
	 * @param properties the record
	 * @return the types by name, in canonical form and without the record's own prefix
	 */
	public static Map<String, Class<?>> of(Class<? extends Record> properties) {
		Map<String, Class<?>> types = new LinkedHashMap<>();
		collect(properties, "", types);
		return types;
	}

	private static void collect(Class<?> properties, String prefix, Map<String, Class<?>> types) {
		for (RecordComponent component : properties.getRecordComponents()) {
			String name = prefix + DataObjectPropertyName.toDashedForm(component.getName());
			if (component.getType().isRecord()) {
				collect(component.getType(), name + ".", types);
			}
			else if (component.getType() == Map.class) {
				ResolvableType value = ResolvableType.forType(component.getGenericType()).getGeneric(1);
				if (value.toClass().isRecord()) {
					collect(value.toClass(), name + ".*.", types);
				}
				else {
					types.put(name + ".*", value.toClass());
				}
			}
			else {
				types.put(name, component.getType());
			}
		}
	}

}

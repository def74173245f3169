package dev.ratelimit.memcached.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.ratelimit.autoconfigure.SettingTypes;
import dev.ratelimit.rule.config.ModuleSettings;

/**
 * The settings below {@code ratelimit.memcached}, which are not refused as unknown.
 */
final class MemcachedSettings implements ModuleSettings {

	@Override
	public Map<String, Class<?>> types() {
		Map<String, Class<?>> types = new LinkedHashMap<>();
		SettingTypes.of(MemcachedProperties.class).forEach((name, type) -> types.put("memcached." + name, type));
		return types;
	}

}

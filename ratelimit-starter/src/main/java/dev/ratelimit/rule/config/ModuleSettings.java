package dev.ratelimit.rule.config;

import java.util.Map;

/**
 * The settings of another module under {@code ratelimit.}, such as those of a store. The
 * module binds them itself; what it names here is not refused as unknown. It is found by
 * its entry in {@code META-INF/spring.factories}.
 */
@FunctionalInterface
public interface ModuleSettings {

	/**
	 * The settings.
	 * @return their types, by their names after {@code ratelimit.} in canonical form,
	 * such as {@code memcached.max-connections}
	 */
	Map<String, Class<?>> types();

}

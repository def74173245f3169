package dev.ratelimit.spi;

import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.OpenChoice;

/**
 * What a module adds to the configuration. It is found by its entry in
 * {@code META-INF/spring.factories}. The beans of a module come from its
 * auto-configuration.
 */
public interface RateLimitModule {

	/**
	 * The artifact of the module.
	 * @return for example {@code ratelimit-starter-memcached}
	 */
	String artifact();

	/**
	 * The settings that the module binds itself, besides its keys of rules. What their
	 * types contain is not refused as unknown.
	 * @return the types, by their names after {@code ratelimit.} in canonical form
	 */
	default Map<String, Class<? extends Record>> settings() {
		return Map.of();
	}

	/**
	 * The values of {@code on-limit} and {@code scope} that the module adds, with their
	 * keys.
	 * @return the values
	 */
	default List<? extends OpenChoice> choices() {
		return List.of();
	}

}

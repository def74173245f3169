package dev.ratelimit.store.redis;

import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * Keeps the Lua scripts and the list of modules in a native image.
 */
class RedisStoreRuntimeHints implements RuntimeHintsRegistrar {

	@Override
	public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
		hints.resources()
			.registerPattern("dev/ratelimit/store/redis/*.lua")
			.registerPattern("META-INF/ratelimit-modules.properties");
	}

}

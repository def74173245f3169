package dev.ratelimit.memcached.autoconfigure;

import java.util.Map;

import dev.ratelimit.spi.RateLimitModule;

/**
 * The settings below {@code ratelimit.memcached}, which are not refused as unknown.
 */
final class MemcachedModule implements RateLimitModule {

	@Override
	public String artifact() {
		return "ratelimit-starter-memcached";
	}

	@Override
	public Map<String, Class<? extends Record>> settings() {
		return Map.of("memcached", MemcachedProperties.class);
	}

}

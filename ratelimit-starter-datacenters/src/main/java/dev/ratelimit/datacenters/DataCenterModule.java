package dev.ratelimit.datacenters;

import java.util.List;
import java.util.Map;

import dev.ratelimit.rule.OpenChoice;
import dev.ratelimit.spi.RateLimitModule;

/**
 * Adds {@code scope: everywhere}, its keys, and the settings of data centres.
 */
final class DataCenterModule implements RateLimitModule {

	@Override
	public String artifact() {
		return "ratelimit-starter-datacenters";
	}

	@Override
	public Map<String, Class<? extends Record>> settings() {
		return Map.of("datacenter", DataCenterProperties.class);
	}

	@Override
	public List<? extends OpenChoice> choices() {
		return List.of(Everywhere.EverywhereKind.EVERYWHERE);
	}

}

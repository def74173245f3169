package dev.ratelimit.store.redis.datacenter;

import java.util.List;

import dev.ratelimit.rule.OpenChoice;
import dev.ratelimit.spi.RateLimitModule;

final class DataCenterModule implements RateLimitModule {

	@Override
	public String artifact() {
		return "ratelimit-starter-datacenters";
	}

	@Override
	public List<? extends OpenChoice> choices() {
		return List.of(Everywhere.Kind.EVERYWHERE);
	}

}

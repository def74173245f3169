package dev.ratelimit.store.redis;

import java.time.InstantSource;

import dev.ratelimit.store.InspectorContract;
import dev.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * A look at what is counted in a Redis Cluster, with injected time.
 */
@ExtendWith(SharedRedis.class)
class RedisClusterInspectorTests extends InspectorContract {

	@Override
	protected RateLimitStore open(InstantSource clock) {
		return InjectedTime.store(SharedRedis.clusterRunner(), clock, SharedRedis.PREFIX);
	}

}

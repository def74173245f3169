package dev.ratelimit.store.redis;

import java.time.InstantSource;

import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreContract;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The store contract in a Redis Cluster, with injected time.
 */
@ExtendWith(SharedRedis.class)
class RedisClusterStoreTests extends StoreContract {

	@Override
	protected RateLimitStore open(InstantSource clock) {
		return InjectedTime.store(SharedRedis.clusterRunner(), clock, SharedRedis.PREFIX);
	}

}

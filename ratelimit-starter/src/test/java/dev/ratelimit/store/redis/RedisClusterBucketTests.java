package dev.ratelimit.store.redis;

import java.time.InstantSource;

import dev.ratelimit.store.BucketContract;
import dev.ratelimit.store.RateLimitStore;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The contract of buckets in a Redis Cluster, with injected time.
 */
@ExtendWith(SharedRedis.class)
class RedisClusterBucketTests extends BucketContract {

	@Override
	protected RateLimitStore open(InstantSource clock) {
		return InjectedTime.store(SharedRedis.clusterRunner(), clock, SharedRedis.PREFIX);
	}

}

package dev.ratelimit.store.redis;

import java.time.InstantSource;

import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreContract;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The store contract in Redis, with injected time.
 */
@ExtendWith(SharedRedis.class)
@DisplayName("The store contract in Redis; E3, 3.16: after each test every key expires within its horizon")
class RedisStoreTests extends StoreContract {

	@Override
	protected RateLimitStore open(InstantSource clock) {
		return InjectedTime.store(SharedRedis.runner(), clock, SharedRedis.PREFIX);
	}

}

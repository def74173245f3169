package dev.ratelimit.store.redis;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.TurnContract;
import org.junit.jupiter.api.AfterEach;

/**
 * Turns in a Redis Cluster, with injected time.
 */
class RedisClusterTurnTests extends TurnContract {

	@Override
	protected RateLimitStore store(MovableClock clock) {
		return InjectedTime.store(SharedRedis.clusterRunner(), clock, SharedRedis.PREFIX);
	}

	@AfterEach
	void everyKeyExpires() {
		SharedRedis.checkAndRemoveKeysWithTurns();
	}

}

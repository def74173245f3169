package dev.ratelimit.store.redis;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.TurnContract;
import org.junit.jupiter.api.AfterEach;

/**
 * Turns in Redis, with injected time.
 */
class RedisTurnTests extends TurnContract {

	@Override
	protected RateLimitStore store(MovableClock clock) {
		return InjectedTime.store(SharedRedis.runner(), clock, SharedRedis.PREFIX);
	}

	@AfterEach
	void everyKeyExpires() {
		SharedRedis.checkAndRemoveKeysWithTurns();
	}

}

package dev.ratelimit.integration.support;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.memory.MemoryStore;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Replaces Redis by the memory store, on a clock that the test moves: the same algorithm,
 * proven equal by the store contract, without waiting.
 */
@Configuration(proxyBeanMethods = false)
public class TimedStore {

	@Bean
	public MovableClock clock() {
		return new MovableClock();
	}

	@Bean
	public RateLimitStore rateLimitStore(MovableClock clock) {
		return new MemoryStore(clock);
	}

}

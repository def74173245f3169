package dev.ratelimit.test;

import java.time.InstantSource;

import dev.ratelimit.queue.memory.MemoryItemQueue;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/**
 * The store and the clock of a test. It is read before any auto-configuration, which
 * leaves out its own store and clock then; a store of the application is outdone.
 */
@Configuration(proxyBeanMethods = false)
class TestRateLimitsConfiguration {

	@Bean
	RateLimitClock testRateLimitClock() {
		return new RateLimitClock();
	}

	/** Known by its name only: the application's own clocks stay what they are. */
	@Bean(defaultCandidate = false)
	InstantSource rateLimitClock(RateLimitClock clock) {
		return clock::instant;
	}

	@Bean
	@Primary
	MemoryItemQueue testRateLimitQueue(RateLimitClock clock) {
		return new MemoryItemQueue(clock::instant);
	}

	@Bean
	@Primary
	TestRateLimitStore testRateLimitStore(RateLimitClock clock, MemoryItemQueue queue) {
		return new TestRateLimitStore(clock, queue);
	}

}

package dev.ratelimit.test;

import java.time.InstantSource;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/**
 * The store and the clock of a test. It is processed before any auto-configuration, which
 * then leaves out its own store and clock. It takes precedence over a store of the
 * application.
 */
@Configuration(proxyBeanMethods = false)
class TestRateLimitsConfiguration {

	@Bean
	RateLimitClock testRateLimitClock() {
		return new RateLimitClock();
	}

	/** Injected by name only, so the application's own clocks are not affected. */
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

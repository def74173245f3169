package dev.ratelimit.test;

import java.time.InstantSource;

import dev.ratelimit.queue.ItemQueue;

import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
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
	TestRateLimitStore testRateLimitStore(RateLimitClock clock) {
		return new TestRateLimitStore(clock);
	}

	/** What is enqueued, where the module of the queue is on the class path. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ItemQueue.class)
	static class QueueConfiguration {

		@Bean
		@Primary
		MemoryItemQueue testRateLimitQueue(RateLimitClock clock) {
			return new MemoryItemQueue(clock::instant);
		}

	}

}

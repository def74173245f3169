package com.example.login;

import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreCapabilities;
import dev.ratelimit.support.Pending;
import dev.ratelimit.test.AutoConfigureTestRateLimits;
import dev.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The application's own parts: a setting, a store, a clock, Spring Security.
 */
@SpringBootTest(properties = "ratelimit.store=memory")
@AutoConfigureTestRateLimits
class ApplicationBeansTests {

	@Autowired
	private RateLimiter limiter;

	@Autowired
	private RateLimitClock clock;

	@Test
	void theStoreOfTheTestIsUsed() {
		assertThat(this.limiter.tryAcquire("login", new String[] { "192.0.2.1" }, 5).isAllowed()).isTrue();
		this.clock.advance(Duration.ofMinutes(1));
		RateLimitDecision decision = this.limiter.tryAcquire("login", new String[] { "192.0.2.1" }, 5);
		assertThat(decision.isAllowed()).isTrue();
		assertThat(decision.source()).isEqualTo(RateLimitDecision.Source.STORE);
	}

	@Test
	void theApplicationsClockStaysTheOnlyOneOfItsType(@Autowired InstantSource applications) {
		assertThat(applications).isInstanceOf(Clock.class);
	}

	@Test
	void aFilterStillStandsBeforeSpringSecurity(@Autowired ApplicationContext context) {
		assertThat(context.containsBean("rateLimitStarterFilterBeforeSecurity")).isTrue();
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Applications {

		@Bean
		Clock clock() {
			return Clock.systemUTC();
		}

		@Bean
		RateLimitStore store() {
			return new RateLimitStore() {

				@Override
				public Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait) {
					throw new IllegalStateException("A test called the application's store");
				}

				@Override
				public Pending<List<SettlementResult>> settle(List<Settlement> settlements, Duration maxWait) {
					throw new IllegalStateException("A test released permits to the application's store");
				}

				@Override
				public String shard(AcquireRequest request) {
					return describe();
				}

				@Override
				public StoreCapabilities capabilities() {
					return StoreCapabilities.of("custom", StoreCapabilities.Scope.SHARED,
							Set.of(Algorithm.FIXED_WINDOW));
				}

				@Override
				public String describe() {
					return "the application's own store";
				}

				@Override
				public void close() {
				}

			};
		}

	}

}

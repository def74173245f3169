package dev.ratelimit.autoconfigure;

import java.time.Clock;
import java.time.Duration;
import java.time.InstantSource;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.fixture.RecordingStore;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Which clock limits in memory are counted by.
 */
class ClockTests {

	private final MovableClock clock = new MovableClock();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
		.withPropertyValues("ratelimit.store=memory", "ratelimit.rules.login.thresholds=1/1m");

	private void assertLimitsFollow(RateLimiter limiter, Source source) {
		assertThat(limiter.tryAcquire("login", "10.0.0.1").isAllowed()).isTrue();
		assertThat(limiter.tryAcquire("login", "10.0.0.1").isAllowed()).isFalse();
		this.clock.advance(Duration.ofMinutes(1));
		assertThat(limiter.tryAcquire("login", "10.0.0.1")).satisfies((decision) -> {
			assertThat(decision.isAllowed()).isTrue();
			assertThat(decision.source()).isEqualTo(source);
		});
	}

	@Test
	void theStoreInMemoryFindsTheClockByItsBeanName() {
		this.runner.withBean("rateLimitClock", InstantSource.class, () -> this.clock)
			.run((context) -> assertLimitsFollow(context.getBean(RateLimiter.class), Source.MEMORY));
	}

	@Test
	void localDecisionsWhileTheStoreFailsUseTheSameClock() {
		RecordingStore store = new RecordingStore(new MemoryStore(this.clock));
		store.failFor("login");
		this.runner.withBean("rateLimitClock", InstantSource.class, () -> this.clock)
			.withBean(RateLimitStore.class, () -> store)
			.run((context) -> assertLimitsFollow(context.getBean(RateLimiter.class), Source.LOCAL));
	}

	@Test
	void theApplicationsClockIsNotUsedAndRemainsTheOnlyOneOfItsType() {
		this.runner.withBean(Clock.class, Clock::systemUTC).run((context) -> {
			assertThat(context).hasNotFailed().hasBean("rateLimitClock");
			assertThat(context.getBeanProvider(InstantSource.class).getObject()).isInstanceOf(Clock.class);
		});
	}

}

package com.example.login;

import java.time.Duration;

import dev.ratelimit.RateLimiter;
import dev.ratelimit.rule.RLWindow;
import dev.ratelimit.test.AutoConfigureTestRateLimits;
import dev.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Each test leaves the limit reached and the clock moved; no other test is affected.
 */
@SpringBootTest
@AutoConfigureTestRateLimits
class ResetTests {

	@Autowired
	private RateLimiter limiter;

	@Autowired
	private RateLimitClock clock;

	@BeforeEach
	void takeOnePermit() {
		assertThat(this.limiter.tryAcquire("login", "192.0.2.1").quotas()).extracting("remaining").containsExactly(4L);
	}

	private void useUp() {
		assertThat(this.clock.instant()).isEqualTo(RateLimitClock.START);
		assertThat(this.limiter.tryAcquire("login", new String[] { "192.0.2.1" }, 4).isAllowed()).isTrue();
		assertThat(this.limiter.tryAcquire("login", "192.0.2.1").isAllowed()).isFalse();
		this.clock.advance(Duration.ofSeconds(30));
	}

	@RepeatedTest(2)
	void aMethodBeginsAnew() {
		useUp();
	}

	@Test
	void aTestLooksAtAClientAndResetsIt() {
		useUp();
		assertThat(this.limiter.peek("login", "192.0.2.1").isAllowed()).isFalse();
		assertThat(this.limiter.reset("login", "192.0.2.1")).isTrue();
		assertThat(this.limiter.peek("login", "192.0.2.1").quotas()).extracting("remaining").containsExactly(5L);
	}

	@Nested
	class InANestedClass {

		@RepeatedTest(2)
		void aMethodBeginsAnew() {
			useUp();
		}

	}

	@Nested
	@SpringBootTest(properties = "ratelimit.rules.login.thresholds=5/2m")
	class WithAContextOfItsOwn {

		@RepeatedTest(2)
		void aMethodBeginsAnew() {
			assertThat(ResetTests.this.limiter.tryAcquire("login", "192.0.2.2").quotas()).extracting("window")
				.containsExactly(RLWindow.of(Duration.ofMinutes(2)));
			useUp();
		}

	}

}

package com.example.search;

import java.time.Duration;

import dev.ratelimit.test.AutoConfigureTestRateLimits;
import dev.ratelimit.test.RateLimitClock;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.test.web.servlet.assertj.MockMvcTester;

import static dev.ratelimit.test.RateLimitMatcher.allowed;
import static dev.ratelimit.test.RateLimitMatcher.rejectedBy;
import static dev.ratelimit.test.RateLimitMatcher.remaining;
import static dev.ratelimit.test.RateLimitMatcher.retryAfter;
import static org.assertj.core.api.Assertions.assertThat;

@WebMvcTest
@AutoConfigureTestRateLimits
class SearchLimitTests {

	@Autowired
	private MockMvcTester mvc;

	@Autowired
	private RateLimitClock clock;

	@Test
	void theWindowSlides() {
		assertThat(this.mvc.get().uri("/search")).matches(allowed()).matches(remaining(2));
		this.clock.advance(Duration.ofSeconds(4));
		assertThat(this.mvc.get().uri("/search")).matches(remaining(1));
		assertThat(this.mvc.get().uri("/search")).matches(remaining(0));
		assertThat(this.mvc.get().uri("/search")).matches(rejectedBy("search"))
			.matches(retryAfter(Duration.ofSeconds(6)));
		this.clock.advance(Duration.ofSeconds(6));
		assertThat(this.mvc.get().uri("/search")).matches(allowed()).matches(remaining(0));
	}

	@Test
	void eachTestBeginsWithNothingCounted() {
		assertThat(this.mvc.get().uri("/search")).matches(remaining(2));
	}

}

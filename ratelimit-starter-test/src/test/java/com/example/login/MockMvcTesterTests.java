package com.example.login;

import java.time.Duration;

import dev.ratelimit.test.AutoConfigureTestRateLimits;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.client.RestTestClient;

import static dev.ratelimit.test.RateLimitMatcher.allowed;
import static dev.ratelimit.test.RateLimitMatcher.rejectedBy;
import static dev.ratelimit.test.RateLimitMatcher.remaining;
import static dev.ratelimit.test.RateLimitMatcher.retryAfter;
import static dev.ratelimit.test.RateLimitMatcher.unlimited;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Test clients on top of MockMvc.
 */
@SpringBootTest
@AutoConfigureMockMvc
@AutoConfigureRestTestClient
@AutoConfigureTestRateLimits
class MockMvcTesterTests {

	@Autowired
	private MockMvcTester mvc;

	@Autowired
	private RestTestClient client;

	@Test
	void assertThatTakesTheSameMatchers() {
		for (int left = 4; left >= 0; left--) {
			assertThat(this.mvc.post().uri("/login")).matches(allowed()).matches(remaining(left));
		}
		assertThat(this.mvc.post().uri("/login")).matches(rejectedBy("login"))
			.matches(retryAfter(Duration.ofMinutes(1)));
		assertThat(this.mvc.get().uri("/open")).matches(unlimited());
	}

	@Test
	void aClientOnMockMvcTakesTheSameMatchers() {
		this.client.post().uri("/login").exchange().expectAll(allowed(), remaining(4));
	}

}

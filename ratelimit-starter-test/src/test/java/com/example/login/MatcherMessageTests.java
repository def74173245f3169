package com.example.login;

import java.time.Duration;

import dev.ratelimit.test.AutoConfigureTestRateLimits;
import dev.ratelimit.test.RateLimitClock;
import dev.ratelimit.test.RateLimitMatcher;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.resttestclient.autoconfigure.AutoConfigureRestTestClient;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

import static dev.ratelimit.test.RateLimitMatcher.allowed;
import static dev.ratelimit.test.RateLimitMatcher.limit;
import static dev.ratelimit.test.RateLimitMatcher.rejected;
import static dev.ratelimit.test.RateLimitMatcher.rejectedBy;
import static dev.ratelimit.test.RateLimitMatcher.remaining;
import static dev.ratelimit.test.RateLimitMatcher.retryAfter;
import static dev.ratelimit.test.RateLimitMatcher.unlimited;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * The message of a matcher that fails names what was expected and what the response
 * contained instead.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT,
		properties = "ratelimit.headers.reset-format=delta-seconds")
@AutoConfigureRestTestClient
@AutoConfigureTestRateLimits
class MatcherMessageTests {

	private static final String ALLOWED = """
			it was allowed: status 200
			  RateLimit: "login";r=4
			  RateLimit-Policy: "login";q=5;w=60
			  X-RateLimit-Limit: 5
			  X-RateLimit-Remaining: 4
			  X-RateLimit-Reset: 60""";

	private static final String REJECTED = """
			it was rejected by login: status 429
			  RateLimit: "login";r=0;t=60
			  RateLimit-Policy: "login";q=5;w=60
			  Retry-After: 60
			  X-RateLimit-Limit: 5
			  X-RateLimit-Remaining: 0
			  X-RateLimit-Reset: 60""";

	private static final String UNLIMITED = "no rule applied (there is no header of rate limits): status 200";

	@Autowired
	private RestTestClient client;

	@Autowired
	private RateLimitClock clock;

	private ResponseSpec login() {
		return this.client.post().uri("/login").exchange();
	}

	private ResponseSpec search() {
		return this.client.get().uri("/search").exchange();
	}

	private static void assertFails(ResponseSpec response, RateLimitMatcher matcher, String expected, String actual) {
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> response.expectAll(matcher))
			.withMessage("Expected " + expected + ", but " + actual);
	}

	@Test
	void theMessageDescribesAnAllowedRequest() {
		ResponseSpec response = login();
		assertFails(response, rejected(), "a rejected request", ALLOWED);
		assertFails(response, rejectedBy("login"), "a request rejected by login", ALLOWED);
		assertFails(response, unlimited(), "a request to which no rule applies", ALLOWED);
		assertFails(response, remaining(5), "X-RateLimit-Remaining: 5", ALLOWED);
		assertFails(response, limit(6), "X-RateLimit-Limit: 6", ALLOWED);
		assertFails(response, retryAfter(Duration.ofSeconds(60)), "Retry-After: 60", ALLOWED);
	}

	@Test
	void theMessageDescribesARejectedRequest() {
		for (int i = 0; i < 5; i++) {
			login().expectAll(allowed());
		}
		ResponseSpec response = login();
		assertFails(response, allowed(), "an allowed request", REJECTED);
		assertFails(response, unlimited(), "a request to which no rule applies", REJECTED);
		assertFails(response, rejectedBy("log"), "a request rejected by log", REJECTED);
		assertFails(response, rejectedBy("login", "search"), "a request rejected by login, search", REJECTED);
		assertFails(response, rejectedBy("login-1m"), "a request rejected by login-1m", REJECTED);
		assertFails(response, retryAfter(Duration.ofSeconds(59)), "Retry-After: 59", REJECTED);
	}

	@Test
	void theMessageNamesBothRulesThatRejectARequest() {
		for (int i = 0; i < 3; i++) {
			search().expectAll(allowed());
			this.clock.advance(Duration.ofSeconds(1));
		}
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> search().expectAll(rejectedBy("search")))
			.withMessageStartingWith(
					"Expected a request rejected by search, but it was rejected by search-1m, search-all: status 429");
	}

	@Test
	void theMessageDescribesAnUnlimitedRequest() {
		ResponseSpec response = this.client.get().uri("/open").exchange();
		assertFails(response, allowed(), "an allowed request", UNLIMITED);
		assertFails(response, rejectedBy("login"), "a request rejected by login", UNLIMITED);
	}

}

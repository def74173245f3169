package com.example.login;

import java.time.Duration;

import dev.ratelimit.test.AutoConfigureTestRateLimits;
import dev.ratelimit.test.RateLimitClock;
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

/**
 * On a real port.
 */
@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@AutoConfigureRestTestClient
@AutoConfigureTestRateLimits
class SearchLimitTests {

	@Autowired
	private RestTestClient client;

	@Autowired
	private RateLimitClock clock;

	private ResponseSpec search(String user) {
		return this.client.get().uri("/search?user=" + user).exchange();
	}

	@Test
	void eachUserHasTwoPerSecond() {
		search("alice").expectAll(allowed(), limit(2), remaining(1));
		search("alice").expectAll(allowed(), remaining(0));
		search("alice").expectAll(rejected(), rejectedBy("search"), retryAfter(Duration.ofSeconds(1)));
		search("bob").expectAll(allowed());
	}

	@Test
	void aRuleWithSeveralThresholdsIsNamedWithItsWindow() {
		search("alice").expectAll(allowed());
		search("alice").expectAll(allowed());
		search("alice").expectAll(rejectedBy("search-1s"));
	}

	@Test
	void rulesThatRefuseTogetherAreReportedTogether() {
		search("alice").expectAll(allowed());
		this.clock.advance(Duration.ofSeconds(1));
		search("alice").expectAll(allowed());
		this.clock.advance(Duration.ofSeconds(1));
		search("alice").expectAll(allowed());
		search("alice").expectAll(rejectedBy("search", "search-all"), rejectedBy("search-all", "search-1m"));
	}

	@Test
	void theFixedWindowOfADayHasJustBegun() {
		search("alice").expectAll(allowed());
		search("bob").expectAll(allowed());
		search("carol").expectAll(allowed());
		search("dave").expectAll(rejectedBy("search-all"), retryAfter(Duration.ofDays(1)));
		this.clock.set(RateLimitClock.START.plus(Duration.ofDays(1)).minusMillis(1));
		search("dave").expectAll(rejectedBy("search-all"), retryAfter(Duration.ofMillis(1)));
		this.clock.advance(Duration.ofMillis(1));
		search("dave").expectAll(allowed());
	}

	@Test
	void headersUseTheClockOfTheTest() {
		this.client.post()
			.uri("/login")
			.exchange()
			.expectHeader()
			.valueEquals("X-RateLimit-Reset", RateLimitClock.START.plus(Duration.ofMinutes(1)).getEpochSecond());
	}

	@Test
	void theBodyCanStillBeRead() {
		search("alice").expectAll(allowed()).expectBody(String.class).isEqualTo("found");
	}

	@Test
	void aRequestThatNoRuleMatchesIsUnlimited() {
		this.client.get().uri("/open").exchange().expectAll(unlimited());
	}

}

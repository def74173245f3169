package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitDecision.Unavailable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

import static org.assertj.core.api.Assertions.assertThat;

class ProblemRejectionHandlerTests {

	private static final Rejected REJECTED = new Rejected("get-product", Source.STORE,
			List.of(quota("get-product-2s", Optional.of(Duration.ZERO)),
					quota("get-product-10s", Optional.of(Duration.ofSeconds(3))),
					quota("get-product-1m", Optional.empty())));

	private static final Unavailable UNAVAILABLE = new Unavailable("login", Duration.ofSeconds(1));

	private final MockHttpServletResponse response = new MockHttpServletResponse();

	private static Quota quota(String policy, Optional<Duration> retryAfter) {
		return new Quota(policy, 5, Duration.ofSeconds(2), 0, Duration.ofSeconds(2), retryAfter);
	}

	private Map<?, ?> handle(RateLimitDecision... refusals) throws IOException {
		new ProblemRejectionHandler().handle(new MockHttpServletRequest(), this.response, List.of(refusals));
		assertThat(this.response.getContentType()).isEqualTo("application/problem+json");
		assertThat(this.response.getContentLength()).isEqualTo(this.response.getContentAsByteArray().length);
		return new JsonMapper().readValue(this.response.getContentAsByteArray(), Map.class);
	}

	@Test
	void aReachedLimitIsA429ThatNamesTheViolatedPolicies() throws IOException {
		assertThat(handle(REJECTED))
			.isEqualTo(Map.of("type", "https://iana.org/assignments/http-problem-types#quota-exceeded", "title",
					"Request cannot be satisfied as assigned quota has been exceeded", "status", 429,
					"violated-policies", List.of("get-product-10s", "get-product-1m")));
		assertThat(this.response.getStatus()).isEqualTo(429);
	}

	@Test
	void aBlockedClientGetsA403WhateverElseRefuses() throws IOException {
		assertThat(handle(REJECTED, new Rejected("login", Source.NONE, List.of()), UNAVAILABLE))
			.isEqualTo(Map.of("type", "about:blank", "title", "Forbidden", "status", 403));
		assertThat(this.response.getStatus()).isEqualTo(403);
	}

	@Test
	void anAbsentStoreIsA503ThatNamesTheRule() throws IOException {
		assertThat(handle(UNAVAILABLE))
			.isEqualTo(Map.of("type", "https://iana.org/assignments/http-problem-types#temporary-reduced-capacity",
					"title", "Request cannot be satisfied due to temporary server capacity constraints", "status", 503,
					"violated-policies", List.of("login")));
		assertThat(this.response.getStatus()).isEqualTo(503);
	}

	@Test
	void aReachedLimitOutweighsAnAbsentStore() throws IOException {
		Map<?, ?> problem = handle(UNAVAILABLE, REJECTED);
		assertThat(problem.get("status")).isEqualTo(429);
		assertThat(problem.get("violated-policies")).isEqualTo(List.of("get-product-10s", "get-product-1m"));
	}

	@Test
	void aMissingKeyIsA403() throws IOException {
		assertThat(handle()).isEqualTo(Map.of("type", "about:blank", "title", "Forbidden", "status", 403));
		assertThat(this.response.getStatus()).isEqualTo(403);
	}

}

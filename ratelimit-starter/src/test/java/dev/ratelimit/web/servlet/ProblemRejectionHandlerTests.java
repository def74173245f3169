package dev.ratelimit.web.servlet;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Quota;
import dev.ratelimit.RateLimitDecision.Rejected;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.Refusal;
import dev.ratelimit.rule.RLWindow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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

	private static Quota quota(String policy, long limit, long threshold, long seconds, Duration retryAfter) {
		return new Quota(policy, limit, threshold, RLWindow.of(Duration.ofSeconds(seconds)), 0, retryAfter,
				Optional.of(retryAfter), Optional.empty());
	}

	private static Rejected rejected(Quota... quotas) {
		return new Rejected("rule", Source.STORE, List.of(quotas));
	}

	private Map<?, ?> handle(RateLimitDecision... refusals) throws IOException {
		new ProblemRejectionHandler((id) -> Optional.empty()).handle(new MockHttpServletRequest(), this.response,
				List.of(refusals));
		assertThat(this.response.getContentType()).isEqualTo("application/problem+json");
		assertThat(this.response.getContentLength()).isEqualTo(this.response.getContentAsByteArray().length);
		return new JsonMapper().readValue(this.response.getContentAsByteArray(), Map.class);
	}

	@Test
	void aReachedLimitIsA429ThatNamesTheQuotaWithTheLongestWait() throws IOException {
		assertThat(handle(rejected(quota("get-product-2s", 5, 5, 2, Duration.ZERO),
				quota("get-product-10s", 8, 8, 10, Duration.ofMillis(2001)),
				quota("get-product-1m", 9, 9, 60, Duration.ofSeconds(1)))))
			.isEqualTo(Map.of("type", "https://iana.org/assignments/http-problem-types#quota-exceeded", "title",
					"Request cannot be satisfied as assigned quota has been exceeded", "status", 429, "detail",
					"Quota get-product-10s is exceeded: 8 per 10 seconds. Retry in 3 seconds.", "limit", 8,
					"retry-after", 3, "violated-policies", List.of("get-product-10s", "get-product-1m")));
		assertThat(this.response.getStatus()).isEqualTo(429);
	}

	/** All windows of a refused turn have its wait. */
	@Test
	void ofEqualWaitsTheQuotaWithTheFewestPermitsLeftIsNamed() throws IOException {
		Duration wait = Duration.ofSeconds(3);
		Quota full = new Quota("shop-1s", 5, Duration.ofSeconds(1), 0, Duration.ofSeconds(4), Optional.of(wait));
		Quota wide = new Quota("shop-1h", 1000, Duration.ofHours(1), 980, Duration.ofHours(1), Optional.of(wait));
		assertThat(handle(rejected(full, wide)).get("limit")).isEqualTo(5);
		this.response.reset();
		assertThat(handle(rejected(wide, full)).get("limit")).isEqualTo(5);
	}

	@Test
	void aBucketAlsoHasABurst() throws IOException {
		Map<?, ?> problem = handle(rejected(quota("messages", 5, 1, 1, Duration.ofMillis(1))));
		assertThat(problem.get("detail"))
			.isEqualTo("Quota messages is exceeded: 1 per 1 second, at most 5 at once. Retry in 1 second.");
		assertThat(problem.get("limit")).isEqualTo(5);
	}

	@ParameterizedTest
	@CsvSource({ "PT0.001S, 1 millisecond", "PT1.5S, 1500 milliseconds", "PT1S, 1 second", "PT90S, 90 seconds",
			"PT2M, 2 minutes", "PT1H, 1 hour", "PT25H, 25 hours", "P1D, 1 day", "P400D, 400 days" })
	void aWindowIsInTheLargestUnitThatFits(Duration window, String text) throws IOException {
		Quota quota = new Quota("api", 7, window, 0, window, Optional.of(Duration.ofSeconds(1)));
		assertThat(handle(rejected(quota)).get("detail"))
			.isEqualTo("Quota api is exceeded: 7 per " + text + ". Retry in 1 second.");
	}

	@Test
	void whereWaitingDoesNotHelpThereIsNoTime() throws IOException {
		Map<?, ?> problem = handle(REJECTED);
		assertThat(problem.get("detail"))
			.isEqualTo("Quota get-product-1m is exceeded: 5 per 2 seconds. Waiting does not help.");
		assertThat(problem.get("limit")).isEqualTo(5);
		assertThat(problem.containsKey("retry-after")).isFalse();
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
					"detail", "No quota is exceeded, but the request cannot be admitted now. Retry in 1 second.",
					"retry-after", 1, "violated-policies", List.of("login")));
		assertThat(this.response.getStatus()).isEqualTo(503);
	}

	@Test
	void aReachedLimitOutweighsAnAbsentStore() throws IOException {
		Map<?, ?> problem = handle(new Unavailable("login", Duration.ofSeconds(9)),
				rejected(quota("api", 5, 5, 2, Duration.ofSeconds(3))));
		assertThat(problem.get("status")).isEqualTo(429);
		assertThat(problem.get("violated-policies")).isEqualTo(List.of("api"));
		assertThat(problem.get("detail")).isEqualTo("Quota api is exceeded: 5 per 2 seconds. Retry in 9 seconds.");
	}

	private static RLConfig rule(String id, Refusal refusal) {
		return RLConfig.builder(id).thresholds("5/1m").refusal(refusal).build();
	}

	private void handle(Map<String, RLConfig> rules, RateLimitDecision... refusals) throws IOException {
		this.response.reset();
		new ProblemRejectionHandler((id) -> Optional.ofNullable(rules.get(id))).handle(new MockHttpServletRequest(),
				this.response, List.of(refusals));
	}

	private static Rejected rejected(String rule, Duration retryAfter) {
		return new Rejected(rule, Source.STORE, List.of(quota(rule, Optional.of(retryAfter))));
	}

	@Test
	void theStatusOfARuleIsThatOfItsProblem() throws IOException {
		handle(Map.of("api", rule("api", new Refusal(503, Optional.empty()))), rejected("api", Duration.ofSeconds(3)));
		assertThat(this.response.getStatus()).isEqualTo(503);
		Map<?, ?> problem = new JsonMapper().readValue(this.response.getContentAsByteArray(), Map.class);
		assertThat(problem).isEqualTo(Map.of("type", "https://iana.org/assignments/http-problem-types#quota-exceeded",
				"title", "Request cannot be satisfied as assigned quota has been exceeded", "status", 503, "detail",
				"Quota api is exceeded: 5 per 2 seconds. Retry in 3 seconds.", "limit", 5, "retry-after", 3,
				"violated-policies", List.of("api")));
	}

	@Test
	void theBodyOfARuleReplacesTheProblemInUtf8() throws IOException {
		Refusal refusal = new Refusal(420, Optional.of(new Refusal.Body("sp\u00e4ter", "text/plain")));
		handle(Map.of("api", rule("api", refusal)), rejected("api", Duration.ofSeconds(3)));
		assertThat(this.response.getStatus()).isEqualTo(420);
		assertThat(this.response.getContentType()).isEqualTo("text/plain;charset=UTF-8");
		assertThat(this.response.getContentAsByteArray()).asString(StandardCharsets.UTF_8).isEqualTo("sp\u00e4ter");
		assertThat(this.response.getContentLength()).isEqualTo(7);
	}

	@Test
	void theRuleWithTheLongestWaitResponds() throws IOException {
		Map<String, RLConfig> rules = Map.of("short", rule("short", new Refusal(420, Optional.empty())), "long",
				rule("long", new Refusal(503, Optional.empty())));
		Rejected shorter = rejected("short", Duration.ofSeconds(2));
		Rejected longer = rejected("long", Duration.ofSeconds(3));
		handle(rules, shorter, longer);
		assertThat(this.response.getStatus()).isEqualTo(503);
		handle(rules, longer, shorter);
		assertThat(this.response.getStatus()).isEqualTo(503);
		handle(rules, shorter, new Unavailable("long", Duration.ofSeconds(9)));
		assertThat(this.response.getStatus()).as("no limit of the other is exceeded").isEqualTo(420);
	}

	@Test
	void onlyAnExceededLimitHasTheResponseOfItsRule() throws IOException {
		Map<String, RLConfig> rules = Map.of("login", rule("login", new Refusal(420, Optional.empty())));
		handle(rules, UNAVAILABLE);
		assertThat(this.response.getStatus()).isEqualTo(503);
		handle(rules, new Rejected("login", Source.NONE, List.of()));
		assertThat(this.response.getStatus()).isEqualTo(403);
		handle(rules);
		assertThat(this.response.getStatus()).isEqualTo(403);
	}

	@Test
	void aMissingKeyIsA403() throws IOException {
		assertThat(handle()).isEqualTo(Map.of("type", "about:blank", "title", "Forbidden", "status", 403));
		assertThat(this.response.getStatus()).isEqualTo(403);
	}

}

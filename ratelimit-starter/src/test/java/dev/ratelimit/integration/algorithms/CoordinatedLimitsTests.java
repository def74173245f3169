package dev.ratelimit.integration.algorithms;

import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Set;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.integration.support.TimedStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.web.servlet.FilterRegistrationBean;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The first article: limits per tenant and endpoint, declared in YAML.
 */
@DisplayName("Article 0, coordinated limits per tenant and endpoint")
@ExtendWith(SharedCluster.class)
class CoordinatedLimitsTests {

	/** Each test has rules or tenants of its own. */
	private static final String RULES = """
			management.endpoints.web.base-path: /manage/
			ratelimit.rules:
			  get-product:
			    methods: GET
			    paths: /v1/organizations/{orgId}/product/{id}
			    key: path:orgId
			    thresholds: 3/10m
			  put-product:
			    methods: PUT
			    paths: /v1/organizations/{orgId}/product/{id}
			    key: path:orgId
			    thresholds: 2/10m
			  get-window: {methods: GET, paths: '/product/{id}/x', key: 'path:id', algorithm: fixed-window, thresholds: 9/1h}
			  post-window: {methods: POST, paths: '/product/{id}', key: 'path:id', algorithm: fixed-window, thresholds: 9/1h}
			  star: {methods: GET, paths: '/product/*', thresholds: 1/1m}
			  instances: {paths: /v1/product, thresholds: 30/5m}
			  disabled: {enabled: false, paths: /v2/product, thresholds: 1/1m}
			  published: {paths: /open, thresholds: '10/1s, 50/10s'}
			  headers: {paths: /offers/redeem, thresholds: 1/10s}
			  every: {paths: '/*/ratelimits', thresholds: 1/10m}
			""";

	private static final String RULES_IN_MEMORY = """
			ratelimit.rules:
			  burst: {paths: /v1/product, thresholds: 1000/10s}
			  two: {paths: /v2/product, thresholds: '10/1s, 50/10s'}
			  patient: {paths: /open, thresholds: '3/10s, 5/1m'}
			""";

	@AutoClose
	private static App app;

	/** Counts in memory, by a clock that the tests move. */
	@AutoClose
	private static App timed;

	@BeforeAll
	static void start() {
		app = App.start(SharedCluster.yaml() + RULES);
		timed = App.start(RULES_IN_MEMORY, TimedStore.class);
	}

	private static void advance(Duration duration) {
		timed.bean(MovableClock.class).advance(duration);
	}

	private static Set<String> keysExcept(Set<String> others) {
		Set<String> keys = SharedCluster.keys(app.prefix());
		keys.removeAll(others);
		return keys;
	}

	@Test
	@DisplayName("0.1, 0.3, 0.11 The limit is per tenant, endpoint and method")
	void limitIsPerTenantAndEndpointAndMethod() {
		assertThat(app.statuses(4, "GET", "/v1/organizations/A/product/1")).containsExactly(200, 200, 200, 429);
		assertThat(app.get("/v1/organizations/B/product/1").statusCode()).isEqualTo(200);
		assertThat(app.send("PUT", "/v1/organizations/A/product/1").statusCode()).isEqualTo(200);
	}

	@Test
	@DisplayName("0.2 Path variables that are no key do not split the count")
	void pathVariablesDoNotSplitTheCount() {
		Set<String> others = SharedCluster.keys(app.prefix());
		assertThat(List.of("1", "2", "3", "4"))
			.extracting((id) -> app.get("/v1/organizations/C/product/" + id).statusCode())
			.containsExactly(200, 200, 200, 429);
		assertThat(keysExcept(others)).singleElement()
			.asString()
			.matches(app.prefix() + ":\\{get-product:h[A-Za-z0-9_-]{22}}:l1");
	}

	@Test
	@DisplayName("0.19 In the key: the rule, which stands for endpoint and method, and a hash of the tenant; in the value: the window")
	void whereThePartsOfTheArticlesKeyAre() throws Exception {
		Set<String> others = SharedCluster.keys(app.prefix());
		long before = SharedCluster.micros();
		app.get("/product/A/x");
		app.get("/product/B/x");
		app.send("POST", "/product/A");
		long after = SharedCluster.micros();
		String getByA = app.prefix() + ":{get-window:" + hash("path:A") + "}:f2";
		assertThat(keysExcept(others)).containsExactlyInAnyOrder(getByA,
				app.prefix() + ":{get-window:" + hash("path:B") + "}:f2",
				app.prefix() + ":{post-window:" + hash("path:A") + "}:f2");
		List<Object> numbers = SharedCluster.numbers(getByA);
		long lengthMicros = 1000 * (Long) numbers.get(0);
		long startMicros = lengthMicros * (Long) numbers.get(1);
		assertThat(startMicros).isBetween(before / lengthMicros * lengthMicros, after / lengthMicros * lengthMicros);
		assertThat(startMicros + lengthMicros).as("the end").isGreaterThan(before);
		assertThat(numbers.get(2)).as("the count").isEqualTo(1L);
	}

	/** 128 bits of SHA-256 of the length of a text and of its UTF-16. */
	private static String hash(String text) throws NoSuchAlgorithmException {
		MessageDigest sha256 = MessageDigest.getInstance("SHA-256");
		sha256.update(ByteBuffer.allocate(Integer.BYTES).putInt(text.length()).array());
		byte[] digest = sha256.digest(text.getBytes(StandardCharsets.UTF_16BE));
		return "h" + Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, 16));
	}

	@Test
	@DisplayName("0.4 Writes can be dearer than reads")
	void writesHaveTheirOwnLimit() {
		assertThat(app.statuses(3, "PUT", "/v1/organizations/D/product/1")).containsExactly(200, 200, 429);
		assertThat(app.statuses(3, "GET", "/v1/organizations/D/product/1")).containsOnly(200);
	}

	@Test
	@DisplayName("0.5 The number of instances does not change the limit")
	void instancesShareTheLimit() {
		String yaml = SharedCluster.yaml() + RULES;
		try (App two = App.start(app.prefix(), yaml); App three = App.start(app.prefix(), yaml)) {
			List<App> apps = List.of(app, two, three);
			List<Integer> statuses = new ArrayList<>();
			for (int i = 0; i < 60; i++) {
				statuses.add(apps.get(i % 3).get("/v1/product").statusCode());
			}
			assertThat(Collections.frequency(statuses, 200)).isEqualTo(30);
			assertThat(Collections.frequency(statuses, 429)).isEqualTo(30);
		}
	}

	@Test
	@DisplayName("0.6 The limits are published: to operators by the endpoint, to callers by RateLimit-Policy")
	void limitsArePublished() {
		assertThat(app.get("/manage/ratelimits").body()).contains("\"id\":\"get-product\"")
			.contains("\"id\":\"put-product\"")
			.contains("\"threshold\":50,\"window\":\"10s\"");
		assertThat(app.get("/open").headers().firstValue("RateLimit-Policy"))
			.hasValue("\"published-1s\";q=10;w=1,\"published-10s\";q=50;w=10");
	}

	@Test
	@DisplayName("0.8 Without Spring Security one filter decides, and one those of other servlets; controllers need no change")
	void oneFilterIsRegistered() {
		assertThat(app.context().getBeansOfType(FilterRegistrationBean.class).values())
			.filteredOn((registration) -> registration.isEnabled())
			.extracting((registration) -> registration.getFilter().getClass().getSimpleName())
			.filteredOn((name) -> List.of("RateLimitFilter", "ServletDispatchFilter").contains(name))
			.containsExactlyInAnyOrder("RateLimitFilter", "ServletDispatchFilter");
	}

	@Test
	@DisplayName("0.9, 0.13 A window of 10 s admits its 1000 at once, and not the 1001st until it has passed")
	void burstsPassThroughAWindowOfTenSeconds() {
		List<Integer> statuses = timed.statuses(1001, "GET", "/v1/product");
		assertThat(statuses.subList(0, 1000)).containsOnly(200);
		assertThat(statuses.get(1000)).isEqualTo(429);
		advance(Duration.ofMillis(9_999));
		assertThat(timed.get("/v1/product").statusCode()).isEqualTo(429);
		advance(Duration.ofMillis(1));
		assertThat(timed.get("/v1/product").statusCode()).isEqualTo(200);
	}

	@Test
	@DisplayName("0.10 A disabled rule costs nothing and is still listed")
	void disabledRuleCostsNothing() {
		long before = SharedCluster.scriptCalls(app);
		assertThat(app.statuses(5, "GET", "/v2/product")).containsOnly(200);
		assertThat(SharedCluster.scriptCalls(app)).isEqualTo(before);
		assertThat(app.get("/manage/ratelimits").body()).contains("\"id\":\"disabled\",\"enabled\":false");
	}

	@Test
	@DisplayName("0.12 A star is one segment")
	void starIsOneSegment() {
		assertThat(app.statuses(2, "GET", "/product/1")).containsExactly(200, 429);
		assertThat(app.statuses(2, "GET", "/product/1/x")).containsOnly(200);
	}

	@Test
	@DisplayName("0.14 All windows must hold: 10/1s and 50/10s")
	void allWindowsMustHold() {
		for (int second = 0; second < 5; second++) {
			assertThat(timed.statuses(10, "GET", "/v2/product")).containsOnly(200);
			HttpResponse<String> eleventh = timed.get("/v2/product");
			assertThat(eleventh.statusCode()).isEqualTo(429);
			advance(Duration.ofSeconds(1));
		}
		HttpResponse<String> fiftyFirst = timed.get("/v2/product");
		assertThat(fiftyFirst.statusCode()).isEqualTo(429);
		assertThat(fiftyFirst.body()).contains("\"violated-policies\":[\"two-10s\"]");
		assertThat(fiftyFirst.headers().firstValue("Retry-After")).hasValue("5");
	}

	@Test
	@DisplayName("0.17 Every decided response carries limit, remaining and reset")
	void everyDecidedResponseCarriesTheHeaders() {
		for (int status : new int[] { 200, 429 }) {
			HttpResponse<String> response = app.send("POST", "/offers/redeem");
			assertThat(response.statusCode()).isEqualTo(status);
			assertThat(response.headers().firstValue("X-RateLimit-Limit")).hasValue("1");
			assertThat(response.headers().firstValue("X-RateLimit-Remaining")).hasValue("0");
			assertThat(response.headers().firstValueAsLong("X-RateLimit-Reset").getAsLong()).isBetween(1L, 10L);
		}
	}

	@Test
	void actuatorIsLeftOutHoweverItsBasePathIsWritten() {
		assertThat(app.statuses(3, "GET", "/manage/ratelimits")).containsOnly(200);
	}

	@Test
	@DisplayName("0.18 A client that waits as long as Retry-After says is admitted")
	void aClientThatWaitsForRetryAfterIsAdmitted() {
		int waits = 0;
		for (int i = 0; i < 40; i++) {
			HttpResponse<String> response = timed.get("/open");
			if (response.statusCode() == 429) {
				waits++;
				advance(Duration.ofSeconds(response.headers().firstValueAsLong("Retry-After").getAsLong()));
				assertThat(timed.get("/open").statusCode()).isEqualTo(200);
			}
			advance(Duration.ofMillis(37L * (i % 7)));
		}
		assertThat(waits).isGreaterThan(5);
	}

}

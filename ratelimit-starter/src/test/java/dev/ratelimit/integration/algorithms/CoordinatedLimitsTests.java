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

	private static final String PRODUCTS = """
			ratelimit.rules:
			  get-product:
			    methods: GET
			    paths: /v1/organizations/{orgId}/product/{id}
			    key: path:orgId
			    thresholds: %s
			  put-product:
			    methods: PUT
			    paths: /v1/organizations/{orgId}/product/{id}
			    key: path:orgId
			    thresholds: %s
			""";

	private static String products(String get, String put) {
		return SharedCluster.yaml() + PRODUCTS.formatted(get, put);
	}

	@Test
	@DisplayName("0.1, 0.3, 0.11 The limit is per tenant, endpoint and method")
	void limitIsPerTenantAndEndpointAndMethod() {
		try (App app = App.start(products("2/1m", "2/1m"))) {
			assertThat(app.statuses(3, "GET", "/v1/organizations/A/product/1")).containsExactly(200, 200, 429);
			assertThat(app.get("/v1/organizations/B/product/1").statusCode()).isEqualTo(200);
			assertThat(app.send("PUT", "/v1/organizations/A/product/1").statusCode()).isEqualTo(200);
		}
	}

	@Test
	@DisplayName("0.2 Path variables that are no key do not split the count")
	void pathVariablesDoNotSplitTheCount() {
		try (App app = App.start(products("2/1m", "2/1m"))) {
			assertThat(app.get("/v1/organizations/A/product/1").statusCode()).isEqualTo(200);
			assertThat(app.get("/v1/organizations/A/product/2").statusCode()).isEqualTo(200);
			assertThat(app.get("/v1/organizations/A/product/3").statusCode()).isEqualTo(429);
			Set<String> keys = SharedCluster.keys(app.prefix());
			assertThat(keys).singleElement()
				.asString()
				.matches(app.prefix() + ":\\{get-product:h[A-Za-z0-9_-]{22}}:l1");
		}
	}

	@Test
	@DisplayName("0.19 In the key: the rule, which stands for endpoint and method, and a hash of the tenant; in the value: the window")
	void whereThePartsOfTheArticlesKeyAre() throws Exception {
		String yaml = products("2/1h", "2/1h") + "ratelimit.defaults.algorithm: fixed-window\n";
		try (App app = App.start(yaml)) {
			long before = SharedCluster.micros();
			app.get("/v1/organizations/A/product/1");
			app.get("/v1/organizations/B/product/1");
			app.send("PUT", "/v1/organizations/A/product/1");
			long after = SharedCluster.micros();
			String getByA = app.prefix() + ":{get-product:" + hash("path:A") + "}:f2";
			assertThat(SharedCluster.keys(app.prefix())).containsExactlyInAnyOrder(getByA,
					app.prefix() + ":{get-product:" + hash("path:B") + "}:f2",
					app.prefix() + ":{put-product:" + hash("path:A") + "}:f2");
			List<Object> numbers = SharedCluster.numbers(getByA);
			long lengthMicros = 1000 * (Long) numbers.get(0);
			long startMicros = lengthMicros * (Long) numbers.get(1);
			assertThat(startMicros).isBetween(before / lengthMicros * lengthMicros,
					after / lengthMicros * lengthMicros);
			assertThat(startMicros + lengthMicros).as("the end").isGreaterThan(before);
			assertThat(numbers.get(2)).as("the count").isEqualTo(1L);
		}
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
		try (App app = App.start(products("100/1m", "10/1m"))) {
			assertThat(Collections.frequency(app.statuses(11, "PUT", "/v1/organizations/A/product/1"), 200))
				.isEqualTo(10);
			assertThat(app.statuses(100, "GET", "/v1/organizations/A/product/1")).containsOnly(200);
		}
	}

	@Test
	@DisplayName("0.5 The number of instances does not change the limit")
	void instancesShareTheLimit() {
		String prefix = App.newPrefix();
		String yaml = products("30/5m", "30/5m");
		try (App one = App.start(prefix, yaml);
				App two = App.start(prefix, yaml);
				App three = App.start(prefix, yaml)) {
			List<App> apps = List.of(one, two, three);
			List<Integer> statuses = new ArrayList<>();
			for (int i = 0; i < 60; i++) {
				statuses.add(apps.get(i % 3).get("/v1/organizations/A/product/1").statusCode());
			}
			assertThat(Collections.frequency(statuses, 200)).isEqualTo(30);
			assertThat(Collections.frequency(statuses, 429)).isEqualTo(30);
		}
	}

	@Test
	@DisplayName("0.6 The limits are published: to operators by the endpoint, to callers by RateLimit-Policy")
	void limitsArePublished() {
		try (App app = App.start(products("10/1s, 50/10s", "10/10s"))) {
			assertThat(app.get("/actuator/ratelimits").body()).contains("\"id\":\"get-product\"")
				.contains("\"threshold\":50,\"window\":\"10s\"")
				.contains("\"id\":\"put-product\"");
			assertThat(app.get("/v1/organizations/A/product/1").headers().firstValue("RateLimit-Policy"))
				.hasValue("\"get-product-1s\";q=10;w=1,\"get-product-10s\";q=50;w=10");
		}
	}

	@Test
	@DisplayName("0.8 Without Spring Security one filter decides, and one those of other servlets; controllers need no change")
	void oneFilterIsRegistered() {
		try (App app = App.start(products("2/1m", "2/1m"))) {
			assertThat(app.context().getBeansOfType(FilterRegistrationBean.class).values())
				.filteredOn((registration) -> registration.isEnabled())
				.extracting((registration) -> registration.getFilter().getClass().getSimpleName())
				.filteredOn((name) -> List.of("RateLimitFilter", "OtherServletFilter").contains(name))
				.containsExactlyInAnyOrder("RateLimitFilter", "OtherServletFilter");
		}
	}

	@Test
	@DisplayName("0.9, 0.13 A window of 10 s admits its 1000 at once, and not the 1001st until it has passed")
	void burstsPassThroughAWindowOfTenSeconds() {
		try (App app = App.start(PRODUCTS.formatted("1000/10s", "100/10s"), TimedStore.class)) {
			List<Integer> statuses = app.statuses(1001, "GET", "/v1/organizations/A/product/1");
			assertThat(statuses.subList(0, 1000)).containsOnly(200);
			assertThat(statuses.get(1000)).isEqualTo(429);
			app.bean(MovableClock.class).advance(Duration.ofMillis(9_999));
			assertThat(app.get("/v1/organizations/A/product/1").statusCode()).isEqualTo(429);
			app.bean(MovableClock.class).advance(Duration.ofMillis(1));
			assertThat(app.get("/v1/organizations/A/product/1").statusCode()).isEqualTo(200);
		}
	}

	@Test
	@DisplayName("0.10 A disabled rule costs nothing and is still listed")
	void disabledRuleCostsNothing() {
		try (App app = App.start(products("1/1m", "1/1m") + "    enabled: false\n")) {
			long before = SharedCluster.scriptCalls(app);
			assertThat(app.statuses(5, "PUT", "/v1/organizations/A/product/1")).containsOnly(200);
			assertThat(SharedCluster.scriptCalls(app)).isEqualTo(before);
			assertThat(app.get("/actuator/ratelimits").body()).contains("\"id\":\"put-product\",\"enabled\":false");
		}
	}

	@Test
	@DisplayName("0.12 A star is one segment")
	void starIsOneSegment() {
		try (App app = App.start(SharedCluster.yaml() + """
				ratelimit.rules.product: {paths: '/product/*', thresholds: 1/1m}
				""")) {
			assertThat(app.statuses(2, "GET", "/product/1")).containsExactly(200, 429);
			assertThat(app.statuses(2, "GET", "/product/1/x")).containsOnly(200);
		}
	}

	@Test
	@DisplayName("0.14 All windows must hold: 10/1s and 50/10s")
	void allWindowsMustHold() {
		try (App app = App.start(PRODUCTS.formatted("10/1s, 50/10s", "1/1s"), TimedStore.class)) {
			String path = "/v1/organizations/A/product/1";
			for (int second = 0; second < 5; second++) {
				assertThat(app.statuses(10, "GET", path)).containsOnly(200);
				HttpResponse<String> eleventh = app.get(path);
				assertThat(eleventh.statusCode()).isEqualTo(429);
				app.bean(MovableClock.class).advance(Duration.ofSeconds(1));
			}
			HttpResponse<String> fiftyFirst = app.get(path);
			assertThat(fiftyFirst.statusCode()).isEqualTo(429);
			assertThat(fiftyFirst.body()).contains("\"violated-policies\":[\"get-product-10s\"]");
			assertThat(fiftyFirst.headers().firstValue("Retry-After")).hasValue("5");
		}
	}

	@Test
	@DisplayName("0.17 Every decided response carries limit, remaining and reset")
	void everyDecidedResponseCarriesTheHeaders() {
		try (App app = App.start(products("1/10s", "1/10s"))) {
			for (int status : new int[] { 200, 429 }) {
				HttpResponse<String> response = app.get("/v1/organizations/A/product/1");
				assertThat(response.statusCode()).isEqualTo(status);
				assertThat(response.headers().firstValue("X-RateLimit-Limit")).hasValue("1");
				assertThat(response.headers().firstValue("X-RateLimit-Remaining")).hasValue("0");
				assertThat(response.headers().firstValueAsLong("X-RateLimit-Reset").getAsLong()).isBetween(1L, 10L);
			}
		}
	}

	@Test
	void actuatorIsLeftOutHoweverItsBasePathIsWritten() {
		try (App app = App.start(SharedCluster.yaml() + """
				management.endpoints.web.base-path: /manage/
				ratelimit.rules.all: {paths: '/**', thresholds: 1/10m}
				""")) {
			assertThat(app.statuses(3, "GET", "/manage/ratelimits")).containsOnly(200);
		}
	}

	@Test
	@DisplayName("0.18 A client that waits as long as Retry-After says is admitted")
	void aClientThatWaitsForRetryAfterIsAdmitted() {
		try (App app = App.start(PRODUCTS.formatted("3/10s, 5/1m", "1/1s"), TimedStore.class)) {
			String path = "/v1/organizations/A/product/1";
			MovableClock clock = app.bean(MovableClock.class);
			int waits = 0;
			for (int i = 0; i < 40; i++) {
				HttpResponse<String> response = app.get(path);
				if (response.statusCode() == 429) {
					waits++;
					clock.advance(Duration.ofSeconds(response.headers().firstValueAsLong("Retry-After").getAsLong()));
					assertThat(app.get(path).statusCode()).isEqualTo(200);
				}
				clock.advance(Duration.ofMillis(37L * (i % 7)));
			}
			assertThat(waits).isGreaterThan(5);
		}
	}

}

package dev.ratelimit.integration.algorithms;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import dev.ratelimit.integration.support.TimedStore;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.util.JedisClusterCRC16;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.PathMatchConfigurer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * The second article: the sliding-window log in the filter layer.
 */
@DisplayName("Article 1, the sliding-window log")
@ExtendWith(SharedCluster.class)
class SlidingWindowLogHttpTests {

	/** Each test has rules and paths of its own. */
	private static final String RULES = """
			ratelimit.rules:
			  excess: {paths: /product/excess, key: global, count-rejected: true, thresholds: 500/10m}
			  redeem: {methods: POST, paths: /offers/redeem, key: global, thresholds: 10/day}
			  v1-product: {paths: /v1/product, key: global, count-rejected: true, thresholds: 1/1h}
			  windows:
			    paths: /product/windows
			    key: global
			    count-rejected: true
			    thresholds: 500/2s, 2000/10s, 10000/60s
			  code: {paths: /product/code, key: global, count-rejected: true, thresholds: 2/10m}
			  wide: {paths: /v2/product, key: global, thresholds: 5/10m}
			  narrow: {paths: /v2/product, key: 'header:X-Tenant', thresholds: 1/10m}
			  async: {paths: /async, thresholds: 2/10m}
			""";

	private static final String RULES_IN_MEMORY = """
			ratelimit.exempt.paths: /product/*/x
			ratelimit.rules:
			  eleven: {methods: PUT, paths: '/v1/**', key: global, count-rejected: true, thresholds: 5/60s}
			  product: {paths: '/product/{id}', key: 'path:id', thresholds: 1/1m}
			  article: {paths: ['/v1/*', '/v2/*'], methods: GET, thresholds: 1/1m}
			  all: {paths: '/**', methods: GET, thresholds: 6/1m}
			""";

	@AutoClose
	private static App app;

	/** Counts in memory, by a clock that a test moves. */
	@AutoClose
	private static App timed;

	@BeforeAll
	static void start() {
		app = App.start(SharedCluster.yaml() + RULES);
		timed = App.start(RULES_IN_MEMORY, TimedStore.class, CountedPatterns.class);
	}

	@Test
	@DisplayName("1.1, 1.2, 2.11, 3.1 Of 700 calls at a limit of 500, 200 are refused and never reach the application")
	void excessNeverReachesTheApplication() {
		int before = app.handled();
		List<Integer> statuses = app.statuses(700, "GET", "/product/excess");
		assertThat(Collections.frequency(statuses, 429)).isEqualTo(200);
		assertThat(app.handled() - before).isEqualTo(500);
	}

	@Test
	@DisplayName("1.4 A global rule stops an offer over all users")
	void globalRuleCountsOverAllUsers() {
		List<Integer> statuses = new ArrayList<>();
		for (int user = 0; user < 15; user++) {
			statuses.add(app.send("POST", "/offers/redeem", "X-User", "user-" + user).statusCode());
		}
		assertThat(statuses.subList(0, 10)).containsOnly(200);
		assertThat(statuses.subList(10, 15)).containsOnly(429);
	}

	@Test
	@DisplayName("1.5, 3.19 The filter writes the refusal itself")
	void filterWritesTheRefusal() {
		app.get("/v1/product");
		HttpResponse<String> refusal = app.get("/v1/product");
		assertThat(refusal.statusCode()).isEqualTo(429);
		assertThat(refusal.headers().firstValue("Content-Type")).hasValue("application/problem+json");
		assertThat(refusal.headers().firstValue("Cache-Control")).hasValue("no-store");
		long wait = refusal.headers().firstValueAsLong("Retry-After").getAsLong();
		assertThat(wait).isBetween(1L, 3600L);
		assertThat(refusal.headers().firstValue("X-RateLimit-Retry-After"))
			.isEqualTo(refusal.headers().firstValue("Retry-After"));
		assertThat(refusal.body()).isEqualTo(("{\"type\":\"https://iana.org/assignments/http-problem-types"
				+ "#quota-exceeded\",\"title\":\"Request cannot be satisfied as assigned quota has been exceeded\","
				+ "\"status\":429,\"detail\":\"Quota v1-product is exceeded: 1 per 1 hour. Retry in %1$d seconds.\","
				+ "\"limit\":1,\"retry-after\":%1$d,\"violated-policies\":[\"v1-product\"]}")
			.formatted(wait));
	}

	@Test
	@DisplayName("1.6 One URL has many windows, which all show in the endpoint")
	void oneUrlHasManyWindows() {
		assertThat(app.get("/actuator/ratelimits").body()).contains("{\"threshold\":500,\"window\":\"2s\"},"
				+ "{\"threshold\":2000,\"window\":\"10s\"},{\"threshold\":10000,\"window\":\"1m\"}");
		assertThat(app.get("/product/windows").headers().firstValue("RateLimit-Policy"))
			.hasValue("\"windows-2s\";q=500;w=2,\"windows-10s\";q=2000;w=10,\"windows-1m\";q=10000;w=60");
	}

	@Test
	@DisplayName("1.10 The article's eleven requests through HTTP: eight pass, two are refused, the last one passes")
	void elevenRequests() {
		List<Integer> statuses = new ArrayList<>();
		for (String time : List.of("09:30:20", "09:30:25", "09:30:50", "09:31:10", "09:31:22", "09:31:45", "09:31:48",
				"09:32:05", "09:32:09", "09:32:15", "09:32:46")) {
			timed.bean(MovableClock.class).moveTo("2026-11-20T" + time + "Z");
			statuses.add(timed.send("PUT", "/v1/organizations/A/product/1").statusCode());
		}
		assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 200, 200, 200, 429, 429, 200);
	}

	@Test
	@DisplayName("1.11 All windows of a rule and client are one key in the slot of its tag")
	void everyKeyIsInTheSlotOfItsTag() {
		Map<String, List<String>> keysByTag;
		try (App orders = App.start(SharedCluster.yaml() + """
				ratelimit.rules.orders:
				  paths: /orders
				  key: header:X-Client
				  thresholds: 1/1d, 5/2d
				""")) {
			for (String client : List.of("ann", "bob", "ann", "bob")) {
				orders.send("POST", "/orders", "X-Client", client);
			}
			keysByTag = SharedCluster.keys(orders.prefix())
				.stream()
				.filter((key) -> !key.contains("{instances}"))
				.collect(Collectors.groupingBy((key) -> key.substring(key.indexOf('{') + 1, key.indexOf('}'))));
		}
		assertThat(keysByTag).hasSize(2);
		try (Jedis redis = SharedCluster.connect()) {
			keysByTag.forEach((tag, keys) -> {
				assertThat(keys).allSatisfy(
						(key) -> assertThat(redis.clusterKeySlot(key)).isEqualTo(JedisClusterCRC16.getSlot(tag)));
				assertThat(keys).as("keys of a client").hasSize(1);
			});
		}
		assertThat(keysByTag.keySet().stream().map(JedisClusterCRC16::getSlot)).doesNotHaveDuplicates();
	}

	@Test
	@DisplayName("1.12, 3.4 One script call per rule and request, however many windows the rule has")
	void oneScriptCallPerRule() {
		app.get("/product/windows");
		long before = SharedCluster.scriptCalls(app);
		app.statuses(20, "GET", "/product/windows");
		assertThat(SharedCluster.scriptCalls(app) - before).isEqualTo(20);
	}

	@Test
	@DisplayName("1.17 A URL without a rule passes: no Redis command, no header")
	void uncoveredUrlCostsNothing() {
		long before = SharedCluster.scriptCalls(app);
		HttpResponse<String> response = app.get("/open");
		assertThat(response.statusCode()).isEqualTo(200);
		assertThat(response.headers().map().keySet())
			.noneMatch((name) -> name.toLowerCase(Locale.ROOT).contains("ratelimit"));
		assertThat(SharedCluster.scriptCalls(app)).isEqualTo(before);
	}

	@Test
	@DisplayName("1.19 Code can acquire from the same rule, in the same bucket, and receives the whole decision")
	void codeCanAcquire() {
		RateLimiter limiter = app.context().getBean("rateLimitLimiter", RateLimiter.class);
		assertThat(app.get("/product/code").statusCode()).isEqualTo(200);
		RateLimitDecision second = limiter.tryAcquire("code");
		assertThat(second.isAllowed()).isTrue();
		assertThat(second.source()).isEqualTo(RateLimitDecision.Source.STORE);
		assertThat(second.quotas()).singleElement().satisfies((quota) -> {
			assertThat(quota.limit()).isEqualTo(2);
			assertThat(quota.remaining()).isZero();
		});
		assertThat(limiter.tryAcquire("code").isAllowed()).isFalse();
		assertThatIllegalArgumentException().isThrownBy(() -> limiter.tryAcquire("no-such-rule"))
			.withMessageContaining("no-such-rule")
			.withMessageContaining("v1-product");
	}

	@Test
	@DisplayName("1.21 Patterns of rules are parsed when the application starts, and by no request")
	void noRequestParsesAPattern() {
		CountedPatterns patterns = timed.bean(CountedPatterns.class);
		// MVC looks at its handlers when it is called first.
		timed.get("/open");
		int parsed = patterns.parsed.get();
		assertThat(parsed).isPositive();
		assertThat(List.of("/product/1", "/product/1", "/v1/product", "/v1/product", "/open", "/product/1/x",
				"/nowhere", "/open", "/open"))
			.extracting((path) -> timed.get(path).statusCode())
			.containsExactly(200, 429, 200, 429, 200, 200, 404, 200, 429);
		assertThat(patterns.parsed).hasValue(parsed);
	}

	@Test
	@DisplayName("A refusal releases the permits of other rules")
	void refusalReleasesPermitsOfOtherRules() {
		for (String tenant : List.of("a", "b", "c", "d")) {
			assertThat(app.get("/v2/product", "X-Tenant", tenant).statusCode()).isEqualTo(200);
			assertThat(app.get("/v2/product", "X-Tenant", tenant).statusCode()).isEqualTo(429);
		}
		assertThat(app.get("/v2/product", "X-Tenant", "e").statusCode()).isEqualTo(200);
		assertThat(app.get("/v2/product", "X-Tenant", "f").statusCode()).isEqualTo(429);
	}

	@Test
	@DisplayName("An asynchronous handler is counted once")
	void asynchronousHandlerIsCountedOnce() {
		int before = app.handled();
		assertThat(app.statuses(3, "GET", "/async")).containsExactly(200, 200, 429);
		assertThat(app.handled() - before).isEqualTo(2);
	}

	/** An application whose parser of patterns, which the rules use too, counts. */
	@Configuration(proxyBeanMethods = false)
	static class CountedPatterns implements WebMvcConfigurer {

		final AtomicInteger parsed = new AtomicInteger();

		@Override
		public void configurePathMatch(PathMatchConfigurer configurer) {
			configurer.setPatternParser(new PathPatternParser() {

				@Override
				public PathPattern parse(String pattern) {
					CountedPatterns.this.parsed.incrementAndGet();
					return super.parse(pattern);
				}

			});
		}

	}

}

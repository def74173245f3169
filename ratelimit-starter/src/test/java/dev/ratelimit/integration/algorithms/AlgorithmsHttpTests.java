package dev.ratelimit.integration.algorithms;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Every algorithm, chosen in YAML and enforced on the cluster.
 */
@ExtendWith(SharedCluster.class)
class AlgorithmsHttpTests {

	/** Each test has paths of its own. */
	private static final String RULES = """
			ratelimit.rules:
			  sliding-window-log: {paths: /product/sliding-window-log, key: global, thresholds: 3/1d}
			  sliding-window-counter:
			    {paths: /product/sliding-window-counter, key: global, algorithm: sliding-window-counter, thresholds: 3/1d}
			  fixed-window: {paths: /product/fixed-window, key: global, algorithm: fixed-window, thresholds: 3/1d}
			  token-bucket: {paths: /product/token-bucket, key: global, algorithm: token-bucket, thresholds: 3/1d}
			  leaky-bucket: {paths: /product/leaky-bucket, key: global, algorithm: leaky-bucket, thresholds: 3/1d}
			  narrow: {paths: '/product/{algorithm}', key: ['path:algorithm', 'header:X-Tenant'], thresholds: 1/1d}
			  bucket: {paths: /v1/product, algorithm: token-bucket, thresholds: [{threshold: 1, window: 1h, burst: 3}]}
			  intervals:
			    {paths: /v2/product, key: 'header:X-Device-Id', algorithm: token-bucket, refill: interval, thresholds: 10/1h}
			  short: {paths: /open, algorithm: token-bucket, refill: interval, thresholds: 1/100ms}
			""";

	@AutoClose
	private static App app;

	@BeforeAll
	static void start() {
		app = App.start(SharedCluster.yaml() + RULES);
	}

	private static Stream<String> keys(String rule) {
		return SharedCluster.keys(app.prefix()).stream().filter((key) -> key.contains("{" + rule + ":"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "sliding-window-log", "sliding-window-counter", "fixed-window", "token-bucket",
			"leaky-bucket" })
	@DisplayName("2.14 Every algorithm can be declared, and admits its threshold")
	void admitsItsThresholdAndReleasesPermitsWhenAnotherRuleRefuses(String algorithm) {
		String path = "/product/" + algorithm;
		for (String tenant : List.of("a", "b", "c")) {
			assertThat(app.get(path, "X-Tenant", tenant).statusCode()).isEqualTo(200);
			assertThat(app.get(path, "X-Tenant", tenant).statusCode()).isEqualTo(429);
		}
		HttpResponse<String> fourth = app.get(path, "X-Tenant", "d");
		assertThat(fourth.statusCode()).isEqualTo(429);
		assertThat(fourth.body()).contains("\"violated-policies\":[\"" + algorithm + "\"]");
		assertThat(json("/" + algorithm).get("rule").get("algorithm").asString()).isEqualTo(algorithm);
	}

	@Test
	void aBucketShowsItsCapacity() {
		HttpResponse<String> first = app.get("/v1/product");
		assertThat(first.headers().firstValue("X-RateLimit-Limit")).hasValue("3");
		assertThat(first.headers().firstValue("X-RateLimit-Remaining")).hasValue("2");
		assertThat(first.headers().firstValue("RateLimit-Policy")).hasValue("\"bucket\";q=1;w=3600;ratelimit-burst=3");
		assertThat(app.statuses(3, "GET", "/v1/product")).containsExactly(200, 200, 429);
	}

	@Test
	@DisplayName("4.6: the endpoint shows a bucket's key, tokens and refill amount, and from when it is full again, its last refill")
	void theEndpointShowsABucket() {
		long before = SharedCluster.micros();
		assertThat(app.get("/v2/product", "X-Device-Id", "phone").statusCode()).isEqualTo(200);
		long first = SharedCluster.micros();
		app.get("/v2/product", "X-Device-Id", "phone");
		app.get("/v2/product", "X-Device-Id", "phone");
		long beforeLook = SharedCluster.micros();
		JsonNode client = json("/intervals?key=phone");
		assertThat(keys("intervals"))
			.containsExactly(app.prefix() + ":{intervals:" + client.get("client").asString() + "}:i2");
		JsonNode bucket = client.get("windows").get(0);
		assertThat(bucket.get("remaining").asLong()).as("tokens").isEqualTo(7);
		assertThat(bucket.get("threshold").asLong()).as("refill amount").isEqualTo(10);
		assertThat(json("/intervals").get("rule").get("refill").asString()).isEqualTo("interval");
		long now = SharedCluster.micros();
		long sinceRefillMillis = Duration.ofHours(1).toMillis() - bucket.get("resetInMillis").asLong();
		assertThat(sinceRefillMillis).as("the last refill was the first use")
			.isBetween((beforeLook - first) / 1000, (now - before) / 1000 + 1);
	}

	private static JsonNode json(String path) {
		return JsonMapper.shared().readTree(app.get("/actuator/ratelimits" + path).body());
	}

	@Test
	@DisplayName("4.8: between two uses of a bucket nothing runs: intervals pass, its key expires, and Redis has run no script")
	void nothingRunsInTheBackground() {
		assertThat(app.get("/open").statusCode()).isEqualTo(200);
		long calls = SharedCluster.scriptCalls(app);
		Awaitility.await().atMost(Patience.LONG).until(() -> keys("short").findAny().isEmpty());
		assertThat(SharedCluster.scriptCalls(app)).isEqualTo(calls);
		assertThat(app.get("/open").statusCode()).as("the next use finds it full").isEqualTo(200);
		assertThat(SharedCluster.scriptCalls(app)).isEqualTo(calls + 1);
	}

}

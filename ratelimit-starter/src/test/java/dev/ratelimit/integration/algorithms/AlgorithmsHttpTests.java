package dev.ratelimit.integration.algorithms;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import org.awaitility.Awaitility;
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

	@ParameterizedTest
	@ValueSource(strings = { "sliding-window-log", "sliding-window-counter", "fixed-window", "token-bucket",
			"leaky-bucket" })
	@DisplayName("2.14 Every algorithm can be declared, and admits its threshold")
	void admitsItsThresholdAndReleasesPermitsWhenAnotherRuleRefuses(String algorithm) {
		try (App app = App.start(SharedCluster.yaml() + """
				ratelimit.rules:
				  wide: {paths: /v1/product, key: global, algorithm: %s, thresholds: 3/1d}
				  narrow: {paths: /v1/product, key: 'header:X-Tenant', thresholds: 1/1d}
				""".formatted(algorithm))) {
			for (String tenant : List.of("a", "b", "c")) {
				assertThat(app.get("/v1/product", "X-Tenant", tenant).statusCode()).isEqualTo(200);
				assertThat(app.get("/v1/product", "X-Tenant", tenant).statusCode()).isEqualTo(429);
			}
			HttpResponse<String> fourth = app.get("/v1/product", "X-Tenant", "d");
			assertThat(fourth.statusCode()).isEqualTo(429);
			assertThat(fourth.body()).contains("\"violated-policies\":[\"wide\"]");
		}
	}

	@Test
	void aBucketShowsItsCapacity() {
		try (App app = App.start(SharedCluster.yaml() + """
				ratelimit.rules.bucket:
				  paths: /v1/product
				  algorithm: token-bucket
				  thresholds: [{threshold: 1, window: 1h, burst: 3}]
				""")) {
			HttpResponse<String> first = app.get("/v1/product");
			assertThat(first.headers().firstValue("X-RateLimit-Limit")).hasValue("3");
			assertThat(first.headers().firstValue("X-RateLimit-Remaining")).hasValue("2");
			assertThat(first.headers().firstValue("RateLimit-Policy"))
				.hasValue("\"bucket\";q=1;w=3600;ratelimit-burst=3");
			assertThat(app.statuses(3, "GET", "/v1/product")).containsExactly(200, 200, 429);
		}
	}

	@Test
	@DisplayName("4.6: the endpoint shows a bucket's key, tokens and refill amount, and from when it is full again, its last refill")
	void theEndpointShowsABucket() {
		try (App app = App.start(SharedCluster.yaml() + """
				ratelimit.rules.bucket:
				  paths: /v1/product
				  key: header:X-Device-Id
				  algorithm: token-bucket
				  refill: interval
				  thresholds: 10/1h
				""")) {
			long before = SharedCluster.micros();
			assertThat(app.get("/v1/product", "X-Device-Id", "phone").statusCode()).isEqualTo(200);
			long first = SharedCluster.micros();
			app.get("/v1/product", "X-Device-Id", "phone");
			app.get("/v1/product", "X-Device-Id", "phone");
			long beforeLook = SharedCluster.micros();
			JsonNode client = json(app, "/bucket?key=phone");
			assertThat(SharedCluster.keys(app.prefix()))
				.containsExactly(app.prefix() + ":{bucket:" + client.get("client").asString() + "}:i2");
			JsonNode bucket = client.get("windows").get(0);
			assertThat(bucket.get("remaining").asLong()).as("tokens").isEqualTo(7);
			assertThat(bucket.get("threshold").asLong()).as("refill amount").isEqualTo(10);
			assertThat(json(app, "/bucket").get("rule").get("refill").asString()).isEqualTo("interval");
			long now = SharedCluster.micros();
			long sinceRefillMillis = Duration.ofHours(1).toMillis() - bucket.get("resetInMillis").asLong();
			assertThat(sinceRefillMillis).as("the last refill was the first use")
				.isBetween((beforeLook - first) / 1000, (now - before) / 1000 + 1);
		}
	}

	private static JsonNode json(App app, String path) {
		return JsonMapper.shared().readTree(app.get("/actuator/ratelimits" + path).body());
	}

	@Test
	@DisplayName("4.8: between two uses of a bucket nothing runs: intervals pass, its key expires, and Redis has run no script")
	void nothingRunsInTheBackground() {
		try (App app = App.start(SharedCluster.yaml() + """
				ratelimit.rules.bucket:
				  paths: /v1/product
				  algorithm: token-bucket
				  refill: interval
				  thresholds: 1/100ms
				""")) {
			assertThat(app.get("/v1/product").statusCode()).isEqualTo(200);
			long calls = SharedCluster.scriptCalls(app);
			Awaitility.await().atMost(Patience.LONG).until(() -> SharedCluster.keys(app.prefix()).isEmpty());
			assertThat(SharedCluster.scriptCalls(app)).isEqualTo(calls);
			assertThat(app.get("/v1/product").statusCode()).as("the next use finds it full").isEqualTo(200);
			assertThat(SharedCluster.scriptCalls(app)).isEqualTo(calls + 1);
		}
	}

}

package dev.ratelimit.integration.algorithms;

import java.net.http.HttpResponse;
import java.util.List;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

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

}

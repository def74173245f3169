package dev.ratelimit.integration.failure;

import java.net.http.HttpResponse;
import java.util.List;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.RecordingListener;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.TestApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a rule does while Redis does not reply, and that recovery needs no restart. Both
 * happen at once, as no earlier refusal is repeated.
 */
@ExtendWith(OutputCaptureExtension.class)
class StoreFailureTests {

	private static final String RULES = """
			ratelimit.deadline: 10s
			ratelimit.deny-cache: 0
			ratelimit.rules:
			  allow: {paths: '/product/1', thresholds: 2/10m, on-store-failure: allow}
			  deny: {paths: '/product/2', thresholds: 2/10m, on-store-failure: deny}
			  local: {paths: '/product/3', thresholds: 2/10m}
			""";

	@Test
	@DisplayName("3.8 While Redis is away, requests are answered by the policy of their rule")
	void eachRuleFollowsItsPolicyWhileRedisIsGoneAndCountsInRedisAgainAfterwards(CapturedOutput output) {
		try (RedisServer redis = RedisServer.start();
				App app = App.start("spring.data.redis.port: " + redis.port() + "\n" + RULES)) {
			assertThat(app.statuses(3, "GET", "/product/1")).containsExactly(200, 200, 429);
			redis.kill();

			assertThat(app.statuses(3, "GET", "/product/1")).containsOnly(200);
			HttpResponse<String> denied = app.get("/product/2");
			assertThat(denied.statusCode()).isEqualTo(503);
			assertThat(denied.headers().firstValueAsLong("Retry-After").getAsLong()).isPositive();
			assertThat(denied.body()).contains("#temporary-reduced-capacity", "\"violated-policies\":[\"deny\"]");
			assertThat(app.statuses(4, "GET", "/product/3")).containsExactly(200, 200, 429, 429);
			Awaitility.await().untilAsserted(() -> assertThat(failureLines(output)).hasSize(1));

			redis.restart();
			Awaitility.await().until(() -> app.get("/product/1").headers().firstValue("X-RateLimit-Limit").isPresent());
			assertThat(app.statuses(3, "GET", "/product/2")).containsExactly(200, 200, 429);
			assertThat(app.statuses(3, "GET", "/product/3")).containsExactly(200, 200, 429);
		}
	}

	@Test
	void permitsThatRedisGrantsTooLateAreReleasedAndReported() {
		try (RedisServer redis = RedisServer.start();
				App app = App.start("spring.data.redis.port: " + redis.port() + """

						ratelimit.deadline: 1s
						ratelimit.rules.late: {paths: '/product/1', thresholds: 2/10m, on-store-failure: allow}
						""", TestApplication.class, RecordingListener.class)) {
			assertThat(app.get("/product/1").statusCode()).isEqualTo(200);
			redis.pause();
			assertThat(app.get("/product/1").statusCode()).isEqualTo(200);
			redis.resume();
			Awaitility.await().until(() -> app.bean(RecordingListener.class).events().contains("late released"));
			assertThat(app.statuses(2, "GET", "/product/1")).containsExactly(200, 429);
		}
	}

	private static List<String> failureLines(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("does not answer")).toList();
	}

	@Test
	void anApplicationStartsWithoutRedisAndItsOwnDriverIsNotChanged() {
		try (App app = App.start("spring.data.redis.cluster.nodes: '127.0.0.1:1'\n" + RULES)) {
			assertThat(System.getProperties()).doesNotContainKey("jedis.cluster.initNoError");
			assertThat(app.get("/product/1").statusCode()).isEqualTo(200);
			assertThat(app.get("/product/2").statusCode()).isEqualTo(503);
			assertThat(app.statuses(3, "GET", "/product/3")).containsExactly(200, 200, 429);
		}
	}

}

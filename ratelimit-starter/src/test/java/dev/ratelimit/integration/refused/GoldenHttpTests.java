package dev.ratelimit.integration.refused;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.ratelimit.fixture.Golden;
import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.integration.support.Answers;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Every kind of response, the endpoint and the meters, on a clock that stands still.
 */
@ExtendWith(SharedCluster.class)
class GoldenHttpTests {

	private static final String RULES = """
			ratelimit.store: memory
			ratelimit.deny-cache: 0
			spring.web.resources.static-locations: classpath:/dev/ratelimit/integration/site/
			ratelimit.exempt.paths: /v2/product
			ratelimit.rules:
			  log: {paths: /product/log, key: global, thresholds: '2/1m, 5/1h'}
			  counter: {paths: /product/counter, key: global, algorithm: sliding-window-counter, thresholds: '2/1m, 5/1h'}
			  fixed: {paths: /product/fixed, key: global, algorithm: fixed-window, thresholds: '2/1m, 5/1h'}
			  tokens: {paths: /product/tokens, key: global, algorithm: token-bucket, thresholds: [{threshold: 2, window: 1m, burst: 3}]}
			  intervals: {paths: /product/intervals, key: global, algorithm: token-bucket, refill: interval, thresholds: 2/1m}
			  leak: {paths: /product/leak, key: global, algorithm: leaky-bucket, thresholds: 2/1m}
			  both-a: {paths: /product/both, key: global, thresholds: 2/1m}
			  both-b: {paths: /product/both, key: global, thresholds: 1/1h}
			  shaded: {paths: /product/shaded, key: global, shadow: true, thresholds: 1/1m}
			  strange: {paths: /product/strange, key: 'header:X-Client', on-missing-key: deny, thresholds: 1/1m}
			  planned:
			    paths: /product/planned
			    key: global
			    plan-key: header:X-Plan
			    thresholds: 1/1m
			    plans: {gold: 9/1m, staff: unlimited, expelled: blocked}
			  delayed: {paths: /product/delayed, key: global, on-limit: delay, max-wait: 1s, thresholds: 1/1h}
			  outcomes: {paths: /product/outcomes, key: global, count-on: failure, thresholds: 1/1h}
			  files: {paths: /files/**, key: global, thresholds: 1/1h}
			""";

	private final StringBuilder text = new StringBuilder();

	private void acquire(App app, int times, String method, String path, String... headers) {
		this.text.append(Answers.of(app, times, method, path, headers));
	}

	@Test
	void theAnswersAreUnchanged() {
		try (App app = App.start(RULES, StandingClock.class)) {
			for (String rule : List.of("log", "counter", "fixed", "tokens", "intervals", "leak", "both", "shaded",
					"outcomes")) {
				acquire(app, 3, "GET", "/product/" + rule);
			}
			app.bean(MovableClock.class).advanceMicros(61_000_000);
			acquire(app, 2, "GET", "/product/log");
			acquire(app, 1, "GET", "/product/counter");
			acquire(app, 1, "GET", "/product/strange");
			acquire(app, 1, "GET", "/product/planned", "X-Plan", "gold");
			acquire(app, 1, "GET", "/product/planned", "X-Plan", "staff");
			acquire(app, 1, "GET", "/product/planned", "X-Plan", "expelled");
			acquire(app, 2, "GET", "/product/delayed");
			acquire(app, 1, "GET", "/v2/product");
			acquire(app, 2, "GET", "/files/a.txt");
			acquire(app, 1, "GET", "//files/a.txt");
		}
		Golden.assertUnchanged("answers.txt", this.text.toString());
	}

	@Test
	void theAnswersOfOtherSettingsAreUnchanged() {
		for (String headers : List.of("{ietf: draft-11, legacy: false}",
				"{ietf: 'off', reset-format: epoch-seconds}")) {
			this.text.append("== ratelimit.headers: ").append(headers).append("\n\n");
			try (App app = App.start(RULES + "ratelimit.headers: " + headers + "\n", StandingClock.class)) {
				acquire(app, 3, "GET", "/product/log");
				acquire(app, 3, "GET", "/product/both");
			}
		}
		Golden.assertUnchanged("answers-of-other-settings.txt", this.text.toString());
	}

	@Test
	void theAnswersWhileRedisIsAwayAreUnchanged() {
		try (App app = App.start("""
				spring.data.redis.port: 1
				ratelimit.instances: 1
				ratelimit.rules:
				  denied: {paths: /product/denied, key: global, on-store-failure: deny, thresholds: 1/1h}
				  allowed: {paths: /product/allowed, key: global, on-store-failure: allow, thresholds: 1/1h}
				""")) {
			acquire(app, 1, "GET", "/product/denied");
			acquire(app, 1, "GET", "/product/allowed");
		}
		Golden.assertUnchanged("answers-while-redis-is-away.txt", this.text.toString());
	}

	@Test
	void theEndpointIsUnchanged() {
		try (App app = App.start(RULES
				+ "management.endpoint.health.show-components: always\nmanagement.endpoint.health.show-details: always\n",
				StandingClock.class)) {
			app.statuses(3, "GET", "/product/log");
			for (String path : List.of("", "/log", "/log?key=", "/nothing", "/explain?path=/product/log",
					"/explain?path=/product/planned&key=expelled")) {
				show(app, "/actuator/ratelimits" + path);
			}
			show(app, "/actuator/health/ratelimit");
		}
		Golden.assertUnchanged("endpoint.txt", this.text.toString());
	}

	private void show(App app, String path) {
		HttpResponse<String> response = app.get(path);
		JsonNode json = JsonMapper.shared().readTree(response.body());
		this.text.append("GET ")
			.append(path)
			.append('\n')
			.append(response.statusCode())
			.append('\n')
			.append(json.toPrettyString())
			.append("\n\n");
	}

	@Test
	void theMetersAreUnchanged() {
		try (App app = App.start("""
				spring.data.redis.port: 1
				ratelimit.deadline: 10s
				ratelimit.instances: 2
				ratelimit.rules:
				  strict: {paths: '/product/*', thresholds: 2/1h}
				  delayed: {on-limit: delay, paths: /open, thresholds: 2/1h}
				  leased: {mode: leased, algorithm: fixed-window, paths: /open, thresholds: 2/1h}
				  synced: {mode: synced, algorithm: fixed-window, paths: /open, thresholds: 2/1h}
				""")) {
			app.get("/product/1");
			this.text.append(app.bean(MeterRegistry.class)
				.getMeters()
				.stream()
				.map(Meter::getId)
				.filter((id) -> id.getName().startsWith("ratelimit."))
				.map(GoldenHttpTests::describe)
				.sorted()
				.collect(Collectors.joining("\n", "", "\n")));
		}
		Golden.assertUnchanged("meters.txt", this.text.toString());
	}

	private static String describe(Meter.Id id) {
		return Stream.of(id.getName(), id.getType().name().toLowerCase(Locale.ROOT), String.valueOf(id.getBaseUnit()),
				id.getTags()
					.stream()
					.map((tag) -> tag.getKey() + "=" + tag.getValue())
					.sorted()
					.collect(Collectors.joining(",")))
			.collect(Collectors.joining(" "));
	}

	@Configuration(proxyBeanMethods = false)
	static class StandingClock {

		@Bean
		MovableClock rateLimitClock() {
			return new MovableClock();
		}

	}

}

package dev.ratelimit.integration;

import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.limiter.watch.RateLimitStoreDegradedEvent;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an outage of Redis costs, how it is told, and that it ends without a restart.
 */
@ExtendWith(OutputCaptureExtension.class)
class OutageTests {

	private static final String RULES = """
			spring.data.redis: {host: 127.0.0.1, port: %d}
			management.endpoint.health.show-details: always
			ratelimit.rules:
			  local: {paths: '/product/1', thresholds: 100000/10m}
			  deny: {paths: '/product/2', thresholds: 100000/10m, on-store-failure: deny}
			  shared: {paths: '/product/3', thresholds: 5/10m}
			ratelimit.defaults: {key: global, algorithm: fixed-window}
			""";

	private static final String PATIENT = "ratelimit.deadline: 10s\n";

	private static App start(RedisServer redis, String more, Class<?>... beans) {
		return App.start(RULES.formatted(redis.port()) + more, beans);
	}

	private static long calls(App app) {
		return app.bean(MeterRegistry.class)
			.get("ratelimit.store.calls")
			.timers()
			.stream()
			.mapToLong(Timer::count)
			.sum();
	}

	private static double failures(App app, String reason) {
		return app.bean(MeterRegistry.class).get("ratelimit.store.failures").tag("reason", reason).counter().count();
	}

	private static double open(App app) {
		return app.bean(MeterRegistry.class).get("ratelimit.store.circuit").tag("state", "open").gauge().value();
	}

	private enum Outage {

		KILLED(PATIENT) {
			@Override
			void begin(RedisServer redis) {
				redis.kill();
			}

			@Override
			void end(RedisServer redis) {
				redis.restart();
			}
		},

		HUNG("ratelimit.deadline: 1s\n") {
			@Override
			void begin(RedisServer redis) {
				redis.pause();
			}

			@Override
			void end(RedisServer redis) {
				redis.resume();
			}
		};

		private final String deadline;

		Outage(String deadline) {
			this.deadline = deadline;
		}

		abstract void begin(RedisServer redis);

		abstract void end(RedisServer redis);

	}

	@ParameterizedTest
	@EnumSource
	void ofAThousandRequestsAHandfulIsLostOnARedisThatIsAway(Outage outage) {
		try (RedisServer redis = RedisServer.start();
				App app = start(redis, outage.deadline + "ratelimit.breaker.open-duration: 1m")) {
			assertThat(app.get("/product/1").statusCode()).isEqualTo(200);
			outage.begin(redis);
			long before = calls(app);
			assertThat(app.statuses(1000, "GET", "/product/1")).containsOnly(200);
			assertThat(calls(app) - before).isEqualTo(5);
			assertThat(failures(app, "circuit_open")).isEqualTo(995);
			assertThat(open(app)).isEqualTo(1);
			outage.end(redis);
		}
	}

	@Test
	void withoutABreakerEachOfThemIs() {
		try (RedisServer redis = RedisServer.start();
				App app = start(redis, PATIENT + "ratelimit.breaker.enabled: false")) {
			redis.kill();
			assertThat(app.statuses(20, "GET", "/product/1")).containsOnly(200);
			assertThat(calls(app)).isEqualTo(20);
		}
	}

	@ParameterizedTest
	@EnumSource
	void whenRedisIsBackInstancesShareTheirLimitsAgain(Outage outage) {
		String quick = outage.deadline + "ratelimit.breaker.open-duration: 100ms";
		try (RedisServer redis = RedisServer.start();
				App one = start(redis, quick);
				App other = App.start(one.prefix(), RULES.formatted(redis.port()) + quick)) {
			outage.begin(redis);
			for (App app : List.of(one, other)) {
				assertThat(app.statuses(20, "GET", "/product/1")).containsOnly(200);
				assertThat(open(app)).isEqualTo(1);
			}
			outage.end(redis);
			for (App app : List.of(one, other)) {
				Awaitility.await().until(() -> app.get("/product/2").statusCode() == 200);
				assertThat(open(app)).isZero();
			}
			List<Integer> statuses = new ArrayList<>(one.statuses(3, "GET", "/product/3"));
			statuses.addAll(other.statuses(3, "GET", "/product/3"));
			assertThat(statuses).containsExactly(200, 200, 200, 200, 200, 429);
		}
	}

	@Test
	void denySaysWhenRedisWillBeTriedAgain() {
		try (RedisServer redis = RedisServer.start();
				App app = start(redis, PATIENT + "ratelimit.breaker.open-duration: 40s")) {
			redis.kill();
			HttpResponse<String> first = app.get("/product/2");
			assertThat(first.statusCode()).isEqualTo(503);
			assertThat(first.headers().firstValue("Retry-After")).contains("1");
			assertThat(app.statuses(5, "GET", "/product/2")).containsOnly(503);
			HttpResponse<String> leftAlone = app.get("/product/2");
			assertThat(leftAlone.statusCode()).isEqualTo(503);
			assertThat(leftAlone.headers().firstValueAsLong("Retry-After").getAsLong()).isBetween(2L, 40L);
			assertThat(leftAlone.body()).contains("#temporary-reduced-capacity", "\"violated-policies\":[\"deny\"]");
		}
	}

	@Test
	void anOutageIsADetailOfHealthAndAnEvent(CapturedOutput output) {
		try (RedisServer redis = RedisServer.start(); App app = start(redis, PATIENT, Listening.class)) {
			assertThat(app.get("/actuator/health/ratelimit").body()).contains("\"status\":\"UP\"",
					"\"state\":\"answering\"");
			redis.kill();
			app.statuses(10, "GET", "/product/1");
			HttpResponse<String> health = app.get("/actuator/health/ratelimit");
			assertThat(health.statusCode()).isEqualTo(200);
			assertThat(health.body()).contains("\"status\":\"UP\"", "\"state\":\"degraded\"",
					"\"reason\":\"unreachable\"", "\"openCircuits\":\"1 of 1\"");
			List<RateLimitStoreDegradedEvent> events = app.bean(Listening.class).events;
			Awaitility.await().until(() -> !events.isEmpty());
			assertThat(events).singleElement()
				.satisfies((event) -> assertThat(event.store()).isEqualTo("Redis at " + redis.address()));
			assertThat(output.toString().lines().filter((line) -> line.contains(redis.address()))).singleElement()
				.asString()
				.contains("WARN", "does not answer (UNREACHABLE: " + redis.address() + ": ");
		}
	}

	@Test
	void missingRightsAreNoOutageThatPassesByItselfAndEndWithoutARestart(CapturedOutput output) {
		try (RedisServer redis = RedisServer.start(); Jedis admin = new Jedis(redis.host(), redis.port())) {
			admin.aclSetUser("limiter", "on", ">secret", "+client|setname");
			try (App app = start(redis, """
					spring.data.redis.username: limiter
					spring.data.redis.password: secret
					ratelimit.breaker.open-duration: 100ms
					""" + PATIENT)) {
				assertThat(app.statuses(20, "GET", "/product/1")).containsOnly(200);
				assertThat(app.get("/product/2").statusCode()).isEqualTo(503);
				assertThat(failures(app, "not_permitted")).isGreaterThanOrEqualTo(5);
				HttpResponse<String> health = app.get("/actuator/health/ratelimit");
				assertThat(health.statusCode()).isEqualTo(503);
				assertThat(health.body()).contains("\"status\":\"DOWN\"", "\"reason\":\"not_permitted\"");
				Awaitility.await().untilAsserted(() -> assertThat(refusals(output)).hasSize(1));
				assertThat(refusals(output).get(0)).contains("ERROR", "NOPERM");

				admin.aclSetUser("limiter", "~*", "+@all");
				Awaitility.await().until(() -> app.get("/product/2").statusCode() == 200);
				assertThat(open(app)).isZero();
			}
		}
	}

	private static List<String> refusals(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("refuses the limiter")).toList();
	}

	static class Listening {

		final List<RateLimitStoreDegradedEvent> events = new CopyOnWriteArrayList<>();

		@EventListener
		void hear(RateLimitStoreDegradedEvent event) {
			this.events.add(event);
		}

	}

}

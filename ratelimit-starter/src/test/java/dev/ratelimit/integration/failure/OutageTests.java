package dev.ratelimit.integration.failure;

import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.limiter.health.RateLimitStoreDegradedEvent;
import dev.ratelimit.proof.Policies;
import dev.ratelimit.rule.Mode;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.event.EventListener;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What an outage of Redis costs in each mode, how it is reported, and that it ends
 * without a restart.
 */
@ExtendWith(OutputCaptureExtension.class)
class OutageTests {

	/**
	 * Fixed windows are aligned to the clock; no test meets the edge of such long ones.
	 */
	private static final String RULES = """
			spring.data.redis: {host: 127.0.0.1, port: %d}
			management.endpoint.health.show-details: always
			ratelimit.rules:
			  local: {paths: '/product/1', thresholds: 100000/100d}
			  deny: {paths: '/product/2', thresholds: 100000/100d, on-store-failure: deny}
			  strict: {paths: '/product/strict', thresholds: 30/100d, key: 'header:X-Client'}
			  leased: {paths: '/product/leased', thresholds: 30/100d, key: 'header:X-Client', mode: leased}
			  synced: {paths: '/product/synced', thresholds: 30/100d, key: 'header:X-Client', mode: synced}
			ratelimit.defaults: {key: global, algorithm: fixed-window}
			""";

	private static final int LIMIT = 30;

	private static final long SHARE = LIMIT / 2;

	private static final String HURRIED = "ratelimit: {deadline: 2s, instances: 2}\n";

	private static final String PATIENT = "ratelimit.deadline: 10s\n";

	private static RedisServer redis;

	/** Two instances that share their limits. */
	private static List<App> apps;

	@BeforeAll
	static void startApps() {
		redis = RedisServer.start();
		App one = start(redis, HURRIED, TimedBreakers.class);
		apps = List.of(one, start(one.prefix(), redis, HURRIED, TimedBreakers.class));
	}

	@AfterAll
	static void stopApps() {
		apps.forEach(App::close);
		redis.close();
	}

	private static App start(RedisServer redis, String more, Class<?>... beans) {
		return start(App.newPrefix(), redis, more, beans);
	}

	private static App start(String prefix, RedisServer redis, String more, Class<?>... beans) {
		return App.start(prefix, RULES.formatted(redis.port()) + more, beans);
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

		KILLED, HUNG;

		/**
		 * Redis is away while something happens; then both instances reach it again.
		 */
		void during(Runnable meanwhile) {
			if (this == KILLED) {
				redis.kill();
			}
			else {
				redis.pause();
			}
			try {
				meanwhile.run();
			}
			finally {
				if (this == KILLED) {
					redis.restart();
				}
				else {
					redis.resume();
				}
				recover();
			}
		}

		private static void recover() {
			for (App app : apps) {
				Awaitility.await().until(() -> {
					TimedBreakers.CLOCK.advance(TimedBreakers.OPEN);
					return app.get("/product/2").statusCode() == 200;
				});
				assertThat(open(app)).isZero();
			}
		}

	}

	private static int status(App app, Mode.ModeKind mode, String client) {
		return app.get("/product/" + mode.text(), "X-Client", client).statusCode();
	}

	@ParameterizedTest
	@EnumSource
	void ofAThousandRequestsTwoCallARedisThatIsAway(Outage outage) {
		App app = apps.get(0);
		outage.during(() -> {
			long before = calls(app);
			double closed = failures(app, "circuit_open");
			assertThat(app.statuses(1000, "GET", "/product/1")).containsOnly(200);
			assertThat(calls(app) - before).isEqualTo(2);
			assertThat(failures(app, "circuit_open") - closed).isEqualTo(998);
			assertThat(open(app)).isEqualTo(1);
			for (Mode.ModeKind mode : Mode.ModeKind.values()) {
				assertThat(status(app, mode, "stranger-" + outage)).as("%s", mode).isEqualTo(200);
			}
			assertThat(calls(app) - before).as("all modes share the breaker of Redis").isEqualTo(2);
		});
	}

	/**
	 * The first request of a client leases nothing; what a synced rule may hold back is
	 * spent.
	 */
	@ParameterizedTest
	@EnumSource
	void whileRedisIsAwayAnInstanceAdmitsItsShare(Mode.ModeKind mode) {
		App app = apps.get(0);
		assertThat(status(app, mode, "away")).isEqualTo(200);
		Outage.KILLED.during(() -> {
			long admitted = Stream.generate(() -> status(app, mode, "away"))
				.limit(LIMIT)
				.filter((status) -> status == 200)
				.count();
			assertThat(admitted).isBetween(SHARE, SHARE + Policies.mostAbove(mode, LIMIT, 2) / 2);
		});
	}

	@ParameterizedTest
	@EnumSource
	void whenRedisIsBackInstancesShareTheirLimitsAgain(Outage outage) {
		outage.during(() -> apps.parallelStream().forEach((app) -> {
			assertThat(app.statuses(20, "GET", "/product/1")).containsOnly(200);
			assertThat(open(app)).isEqualTo(1);
		}));
		for (Mode.ModeKind mode : Mode.ModeKind.values()) {
			String client = "back-" + outage;
			AtomicLong admitted = new AtomicLong();
			Awaitility.await().until(() -> admitted.addAndGet(admittedByBoth(mode, client)) >= LIMIT);
			Stream.generate(() -> admittedByBoth(mode, client)).limit(LIMIT).forEach(admitted::addAndGet);
			assertThat(admitted.get()).as("%s", mode)
				.isBetween((long) LIMIT, LIMIT + Policies.mostAbove(mode, LIMIT, 2));
		}
	}

	private static long admittedByBoth(Mode.ModeKind mode, String client) {
		return apps.stream().filter((app) -> status(app, mode, client) == 200).count();
	}

	@Test
	void aDeniedRequestReportsWhenRedisWillBeTriedAgain() {
		App app = apps.get(0);
		Outage.KILLED.during(() -> {
			HttpResponse<String> first = app.get("/product/2");
			assertThat(first.statusCode()).isEqualTo(503);
			assertThat(first.headers().firstValue("Retry-After")).contains("1");
			// Each call that tries again in vain doubles the time to the next.
			for (int i = 0; i < 15; i++) {
				assertThat(app.get("/product/2").statusCode()).isEqualTo(503);
				TimedBreakers.CLOCK.advance(retryAfter(app.get("/product/2")));
			}
			assertThat(app.get("/product/2").statusCode()).isEqualTo(503);
			HttpResponse<String> withoutACall = app.get("/product/2");
			assertThat(withoutACall.statusCode()).isEqualTo(503);
			assertThat(retryAfter(withoutACall)).isEqualTo(TimedBreakers.OPEN);
			assertThat(withoutACall.body()).contains("#temporary-reduced-capacity", "\"violated-policies\":[\"deny\"]");
		});
	}

	private static Duration retryAfter(HttpResponse<String> response) {
		return Duration.ofSeconds(response.headers().firstValueAsLong("Retry-After").orElseThrow());
	}

	@Test
	void withoutABreakerEveryRequestCallsRedis() {
		try (RedisServer redis = RedisServer.start();
				App app = start(redis, PATIENT + "ratelimit.breaker.enabled: false")) {
			redis.kill();
			assertThat(app.statuses(20, "GET", "/product/1")).containsOnly(200);
			assertThat(calls(app)).isEqualTo(20);
		}
	}

	@Test
	void anOutageIsADetailOfHealthAndAnEvent(CapturedOutput output) {
		try (RedisServer redis = RedisServer.start(); App app = start(redis, PATIENT, Listening.class)) {
			assertThat(app.get("/actuator/health/ratelimit").body()).contains("\"status\":\"UP\"",
					"\"state\":\"answering\"");
			redis.kill();
			Awaitility.await().until(() -> {
				app.get("/product/1");
				return open(app) == 1;
			});
			HttpResponse<String> health = app.get("/actuator/health/ratelimit");
			assertThat(health.statusCode()).isEqualTo(200);
			assertThat(health.body()).contains("\"status\":\"UP\"", "\"state\":\"degraded\"",
					"\"reason\":\"unreachable\"", "\"openCircuits\":\"1 of 1\"",
					"\"failure\":\"" + redis.address() + ": ");
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
	void missingRightsAreReportedAsDownAndEndWithoutARestart(CapturedOutput output) {
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

	@ParameterizedTest(name = "{2}")
	@CsvSource(delimiter = '|', textBlock = """
			--cluster-enabled yes                                 | 1 | spring.data.redis.database is 1
			--rename-command EVALSHA "" --rename-command EVAL "" | 0 | this server runs no scripts
			""", quoteCharacter = '\'')
	void whatRedisRefusesForeverIsNamedAndNotCalledPerRequest(String options, int database, String named,
			CapturedOutput output) {
		try (RedisServer redis = RedisServer.start(options.replace("\"", "").split(" ", -1));
				App app = start(redis, "spring.data.redis.database: " + database + "\n" + PATIENT,
						TimedBreakers.class)) {
			assertThat(app.statuses(200, "GET", "/product/1")).containsOnly(200);
			assertThat(app.get("/product/2").statusCode()).isEqualTo(503);
			assertThat(calls(app)).isEqualTo(2);
			HttpResponse<String> health = app.get("/actuator/health/ratelimit");
			assertThat(health.statusCode()).isEqualTo(503);
			assertThat(health.body()).contains("\"reason\":\"not_permitted\"", "\"openCircuits\":\"1 of 1\"",
					"\"failure\":\"" + redis.address() + ": ", named);
			Awaitility.await().untilAsserted(() -> assertThat(refusals(output)).hasSize(1));
			assertThat(refusals(output).get(0)).contains("ERROR", named);
		}
	}

	private static List<String> refusals(CapturedOutput output) {
		return output.toString().lines().filter((line) -> line.contains("refuses the limiter")).toList();
	}

	static class Listening {

		final List<RateLimitStoreDegradedEvent> events = new CopyOnWriteArrayList<>();

		@EventListener
		void onDegraded(RateLimitStoreDegradedEvent event) {
			this.events.add(event);
		}

	}

}

package dev.ratelimit.proof;

import java.time.Duration;
import java.util.Locale;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.rule.Mode;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Whatever happens to one Redis under load: decisions are made in time, no request fails,
 * each rule follows its policy, and the application recovers by itself. Every time a
 * limiter without deadline and policy, on the same Redis, breaks these promises.
 */
@Tag("proof-faults")
class FaultsProof {

	private static final Duration BEFORE = Duration.ofSeconds(1);

	private static final Duration MEANWHILE = Duration.ofMillis(RedisFault.PAUSE_MILLIS - 100);

	private static RedisServer server;

	private static Place place;

	private static App app;

	private static App broken;

	@BeforeAll
	static void start() {
		server = RedisServer.start();
		place = new Place(server, FaultProxy.to(server.port()), RedisServer.start());
		app = App.start(yaml(Observed.DEADLINE), DecisionTrace.class);
		broken = App.start(yaml(Observed.DEADLINE), DecisionTrace.class, BrokenLimiter.class);
		// The first requests of a JVM load classes.
		warmUp(app);
		warmUp(broken);
	}

	private static String yaml(Duration deadline) {
		return Policies.yaml(place.proxy().port(), deadline, Mode.ModeKind.STRICT);
	}

	@AfterAll
	static void stop() {
		app.close();
		broken.close();
		place.proxy().close();
		place.spare().close();
		server.close();
	}

	private static void warmUp(App app) {
		Load load = Load.start(app.port(), FaultRound.CLIENTS, (n) -> Policies.request("warm-up", n));
		FaultRound.pass(Duration.ofSeconds(2));
		assertThat(load.stop()).isNotEmpty();
	}

	@ParameterizedTest(name = "{0}")
	@EnumSource
	void aFaultBreaksNoPromise(RedisFault fault) {
		Observed observed = run(app, fault);
		System.out.printf(Locale.ROOT, "P5-P7 %s %s: %s%n", fault.number(), fault, observed.describe());
		assertPromisesHold(observed, fault);
		Observed ofBroken = run(broken, fault);
		assertThatExceptionOfType(AssertionError.class).as("a broken limiter breaks a promise")
			.isThrownBy(() -> assertPromisesHold(ofBroken, fault));
	}

	private static Observed run(App app, RedisFault fault) {
		return new FaultRound(app, FaultRound.CLIENTS, BEFORE, MEANWHILE).run(fault + app.prefix(),
				() -> fault.begin(place), () -> fault.end(place), place::isWritable);
	}

	private static void assertPromisesHold(Observed observed, RedisFault fault) {
		observed.assertNoErrors();
		observed.assertDecidedInTime();
		observed.assertPoliciesFollowed();
		observed.assertRecovered();
		observed.assertBounded(fault.losesData() ? 2 : 1, 0);
	}

	/** With enough time, so that only errors count and not the speed of this machine. */
	@Test
	void scriptFlushesGoUnnoticed() {
		try (App patient = App.start(yaml(Duration.ofSeconds(10)), DecisionTrace.class)) {
			Observed observed = new FaultRound(patient, FaultRound.CLIENTS, BEFORE, MEANWHILE).run("flush", () -> {
			}, () -> {
			}, () -> flushFor(Duration.ofSeconds(10)));
			observed.assertUndisturbed();
			observed.assertBounded(1, 0);
			System.out.printf(Locale.ROOT, "P8 FAULT-012 SCRIPT FLUSH every 100 ms: %,d decisions, all by Redis%n",
					observed.decisions().size());
		}
	}

	private static boolean flushFor(Duration time) {
		try (Jedis redis = new Jedis(server.host(), server.port())) {
			for (int i = 0; i < time.toMillis() / 100; i++) {
				redis.scriptFlush();
				assertThat(redis.scriptExists("0".repeat(40))).isFalse();
				FaultRound.pass(Duration.ofMillis(100));
			}
			return true;
		}
	}

}

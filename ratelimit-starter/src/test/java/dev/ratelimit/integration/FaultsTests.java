package dev.ratelimit.integration;

import java.time.Duration;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;

/**
 * A short one of each kind of fault, under load: {@link FaultsProof} takes the time for
 * all of them, and for how long everything takes.
 */
class FaultsTests {

	private static final Duration SHORT = Duration.ofMillis(700);

	private static Place place;

	@BeforeAll
	static void start() {
		RedisServer server = RedisServer.start();
		place = new Place(server, FaultProxy.to(server.port()), server);
	}

	@AfterAll
	static void stop() {
		place.proxy().close();
		place.server().close();
	}

	@ParameterizedTest
	@EnumSource(names = { "KILL_9", "KILL_STOP" })
	void everyRuleFollowsItsPolicyAndAllHealsAlone(RedisFault fault) {
		try (App app = start(Observed.DEADLINE)) {
			Observed observed = new FaultRound(app, SHORT, SHORT).run("client", () -> fault.begin(place),
					() -> fault.end(place), place::isWritable);
			observed.assertNoErrors();
			observed.assertPoliciesFollowed();
			observed.assertBounded(fault.losesData() ? 2 : 1);
		}
	}

	@Test
	void scriptsThatAreFlushedAreSentAnew() {
		try (App app = start(Duration.ofSeconds(10)); Jedis redis = new Jedis("127.0.0.1", place.server().port())) {
			Observed observed = new FaultRound(app, SHORT, Duration.ZERO).run("client", () -> {
				for (int i = 0; i < 7; i++) {
					redis.scriptFlush();
					FaultRound.pass(Duration.ofMillis(100));
				}
			}, () -> {
			}, place::isWritable);
			observed.assertUndisturbed();
			observed.assertNoErrors();
		}
	}

	private static App start(Duration deadline) {
		return App.start(Policies.yaml(place.proxy().port(), deadline), DecisionTrace.class);
	}

}

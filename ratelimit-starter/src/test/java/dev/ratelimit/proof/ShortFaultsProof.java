package dev.ratelimit.proof;

import java.time.Duration;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.limiter.instances.Instances;
import dev.ratelimit.rule.Mode;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.Jedis;

/**
 * A short fault of each kind, under load: {@link FaultsProof} runs all of them, and
 * measures how long everything takes.
 */
@Tag("proof-slow")
class ShortFaultsProof {

	private static final Duration SHORT = Duration.ofMillis(700);

	/** Long enough for a request that begins and ends in it. */
	private static final Duration MEANWHILE = Observed.DEADLINE.multipliedBy(6);

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
	@CsvSource({ "KILL_9, STRICT", "KILL_STOP, STRICT", "KILL_9, LEASED", "KILL_STOP, LEASED", "KILL_9, SYNCED",
			"KILL_STOP, SYNCED" })
	void everyRuleFollowsItsPolicyAndRecoversByItself(RedisFault fault, Mode.ModeKind mode) {
		try (App app = start(Observed.DEADLINE, mode)) {
			Observed observed = new FaultRound(app, FaultRound.CLIENTS, SHORT, MEANWHILE).run("client",
					() -> fault.begin(place), () -> fault.end(place), place::isWritable);
			observed.assertNoErrors();
			observed.assertPoliciesFollowed();
			observed.assertBounded(fault.losesData() ? 2 : 1, Policies.mostAbove(mode, Policies.LIMIT, 1));
		}
	}

	@Test
	void scriptsThatAreFlushedAreSentAnew() {
		try (App app = start(Duration.ofSeconds(10), Mode.ModeKind.STRICT);
				Jedis redis = new Jedis("127.0.0.1", place.server().port())) {
			Observed observed = new FaultRound(app, FaultRound.CLIENTS, SHORT, Duration.ZERO).run("client", () -> {
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

	private static App start(Duration deadline, Mode.ModeKind mode) {
		App app = App.start(Policies.yaml(place.proxy().port(), deadline, mode), DecisionTrace.class);
		Awaitility.await().until(() -> app.bean(Instances.class).known().isPresent() || mode != Mode.ModeKind.SYNCED);
		return app;
	}

}

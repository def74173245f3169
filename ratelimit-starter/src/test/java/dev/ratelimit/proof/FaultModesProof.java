package dev.ratelimit.proof;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.limiter.instances.Instances;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.store.RateLimitStore;
import org.awaitility.Awaitility;
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
 * The faults of {@link FaultsProof} once more: for leased rules, for synced rules, and
 * for so many clients of strict rules that they share round trips. A limiter without
 * deadline and policy breaks the promises in each case, and one that counts wrong goes
 * above its limits.
 */
@Tag("proof-faults-modes")
class FaultModesProof {

	private static final Duration BEFORE = Duration.ofSeconds(1);

	/** On a slow machine, too, enough is requested to go above a limit. */
	private static final Duration LONG_BEFORE = Duration.ofSeconds(3);

	private static final Duration MEANWHILE = Duration.ofMillis(RedisFault.PAUSE_MILLIS - 100);

	private static final Pattern SCRIPTS = Pattern.compile("cmdstat_evalsha(?:_ro)?:calls=(\\d+)");

	private static final Map<Way, App> APPS = new EnumMap<>(Way.class);

	private static Place place;

	/** How permits are acquired. */
	private enum Way {

		SHARED(Mode.ModeKind.STRICT, 4 * FaultRound.CLIENTS),

		LEASED(Mode.ModeKind.LEASED, FaultRound.CLIENTS),

		SYNCED(Mode.ModeKind.SYNCED, FaultRound.CLIENTS);

		private final Mode.ModeKind mode;

		private final int clients;

		Way(Mode.ModeKind mode, int clients) {
			this.mode = mode;
			this.clients = clients;
		}

		App start(Class<?>... beans) {
			// Tomcat has a thread for each client from the start: any more are ours.
			App app = App.start(Policies.yaml(place.proxy().port(), Observed.DEADLINE, this.mode)
					+ "server.tomcat.threads.min-spare: " + (this.clients + 4) + "\n", beans);
			Awaitility.await()
				.until(() -> app.bean(RateLimitStore.class).capabilities().instances().isEmpty()
						|| app.bean(Instances.class).known().isPresent());
			warmUp(app);
			return app;
		}

		/** The first requests of a JVM load classes. */
		void warmUp(App app) {
			try (Load load = Load.start(app.port(), this.clients, (n) -> Policies.request("warm-up", n))) {
				FaultRound.pass(Duration.ofSeconds(2));
				assertThat(load.stop()).isNotEmpty();
			}
		}

		Observed run(App app, RedisFault fault) {
			return run(app, fault, BEFORE);
		}

		Observed run(App app, RedisFault fault, Duration before) {
			return new FaultRound(app, this.clients, before, MEANWHILE).run(fault + app.prefix(),
					() -> fault.begin(place), () -> fault.end(place), place::isWritable);
		}

		void assertBounded(Observed observed, RedisFault fault) {
			observed.assertBounded(fault.losesData() ? 2 : 1, Policies.mostAbove(this.mode, Policies.LIMIT, 1));
		}

	}

	@BeforeAll
	static void start() {
		RedisServer server = RedisServer.start();
		place = new Place(server, FaultProxy.to(server.port()), RedisServer.start());
		for (Way way : Way.values()) {
			APPS.put(way, way.start(DecisionTrace.class));
		}
	}

	@AfterAll
	static void stop() {
		APPS.values().forEach(App::close);
		place.proxy().close();
		place.spare().close();
		place.server().close();
	}

	@ParameterizedTest(name = "{0}")
	@EnumSource
	void aFaultBreaksNoPromise(RedisFault fault) {
		APPS.forEach((way, app) -> {
			Observed observed = way.run(app, fault);
			System.out.printf(Locale.ROOT, "P5-P7, P30 %s %s, %s: %s%n", fault.number(), fault, way,
					observed.describe());
			assertServed(observed);
			way.assertBounded(observed, fault);
		});
	}

	private static void assertServed(Observed observed) {
		observed.assertNoErrors();
		observed.assertDecidedInTime();
		observed.assertPoliciesFollowed();
		observed.assertRecovered();
	}

	@ParameterizedTest
	@EnumSource
	void aLimiterWithoutDeadlineAndPolicyBreaksThePromises(Way way) {
		try (App broken = way.start(DecisionTrace.class, BrokenLimiter.class)) {
			Observed observed = way.run(broken, RedisFault.KILL_STOP);
			assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> assertServed(observed));
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "LEASED", "SYNCED" })
	void aLimiterThatCountsWrongGoesAboveItsLimits(Way way) {
		try (App generous = way.start(DecisionTrace.class, GenerousLimiter.class)) {
			Observed observed = way.run(generous, RedisFault.KILL_STOP, LONG_BEFORE);
			System.out.printf(Locale.ROOT, "control, counts wrong, %s: %s%n", way, observed.describe());
			assertThatExceptionOfType(AssertionError.class)
				.isThrownBy(() -> way.assertBounded(observed, RedisFault.KILL_STOP));
		}
	}

	/**
	 * Otherwise nothing would be proved of requests that do. On loopback Redis replies
	 * before another request arrives, so its replies are delayed a little here.
	 */
	@Test
	void manyClientsShareRoundTrips() {
		App app = APPS.get(Way.SHARED);
		DecisionTrace trace = app.bean(DecisionTrace.class);
		try (Jedis redis = new Jedis(place.server().host(), place.server().port())) {
			long before = scripts(redis);
			trace.clear();
			place.proxy().inject(FaultProxy.Fault.DELAY, Duration.ofMillis(3));
			Way.SHARED.warmUp(app);
			double share = (double) (scripts(redis) - before) / trace.all().size();
			System.out.printf(Locale.ROOT, "P30 %d clients: %.2f commands a decision%n", Way.SHARED.clients, share);
			assertThat(share).isLessThan(0.9);
		}
		finally {
			place.proxy().inject(FaultProxy.Fault.NONE);
		}
	}

	private static long scripts(Jedis redis) {
		Matcher calls = SCRIPTS.matcher(redis.info("commandstats"));
		long sum = 0;
		while (calls.find()) {
			sum += Long.parseLong(calls.group(1));
		}
		return sum;
	}

}

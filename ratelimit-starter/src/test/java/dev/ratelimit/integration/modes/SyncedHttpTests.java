package dev.ratelimit.integration.modes;

import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.limiter.instances.Instances;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Synced rules in three applications on one Redis: what they admit together, what is
 * synced to Redis, and what applies while Redis is away.
 */
class SyncedHttpTests {

	private static final String RULES = """
			spring.data.redis: {host: 127.0.0.1, port: %d}
			ratelimit.deadline: 10s
			ratelimit.defaults: {key: global, algorithm: fixed-window}
			ratelimit.rules:
			  wide: {paths: '/product/1', thresholds: 100000/1d, mode: synced, sync-interval: 50ms}
			  tight: {paths: '/product/2', thresholds: 60/1d, mode: synced, sync-interval: 50ms}
			  first: {paths: '/product/3', thresholds: 1000/1d, mode: synced, sync-interval: 50ms}
			  second: {paths: '/product/3', thresholds: 5/1d}
			""";

	private static final String COUNT = "return (struct.unpack('<I7', redis.call('GET', KEYS[1]), 13))";

	private final RedisServer redis = RedisServer.start();

	private final Jedis jedis = new Jedis(this.redis.host(), this.redis.port());

	private final String prefix = App.newPrefix();

	private final List<App> apps = new ArrayList<>();

	@AfterEach
	void closeAll() {
		this.apps.forEach(App::close);
		this.jedis.close();
		this.redis.close();
	}

	private void start(int number) {
		for (int i = 0; i < number; i++) {
			this.apps.add(App.start(this.prefix, RULES.formatted(this.redis.port())));
		}
		for (App app : this.apps) {
			Awaitility.await()
				.until(() -> app.bean(Instances.class)
					.known()
					.filter((share) -> share.instances() == number)
					.isPresent());
		}
	}

	private long counted(Jedis jedis, String rule) {
		String key = jedis.keys(this.prefix + ":{" + rule + ":*}:f2").iterator().next();
		return (Long) jedis.eval(COUNT, 1, key);
	}

	private static long admitted(App app, int requests, String path) {
		return app.statuses(requests, "GET", path).stream().filter((status) -> status == 200).count();
	}

	private static double requests(App app, String outcome, String source) {
		return app.bean(MeterRegistry.class)
			.get("ratelimit.requests")
			.tags("rule", "wide", "outcome", outcome, "source", source)
			.counter()
			.count();
	}

	/** Permits that were sent to Redis and not acknowledged. */
	private static long lost(App app) {
		return (long) app.bean(MeterRegistry.class).get("ratelimit.sync.lost").tags("rule", "wide").counter().count();
	}

	private static long storeCalls(App app) {
		return app.bean(MeterRegistry.class)
			.get("ratelimit.store.calls")
			.timers()
			.stream()
			.mapToLong((timer) -> timer.count())
			.sum();
	}

	@Test
	@DisplayName("0.16, 0.23: one call per key and interval carries what was admitted, and the key expires")
	void permitsOfAllInstancesAreSyncedToRedis() {
		start(3);
		for (App app : this.apps) {
			assertThat(admitted(app, 100, "/product/1")).isEqualTo(100);
		}
		Awaitility.await().until(() -> counted(this.jedis, "wide") == 300);
		assertThat(this.jedis.pttl(this.jedis.keys(this.prefix + ":{wide:*").iterator().next())).isPositive();
		assertThat(requests(this.apps.get(0), "allowed", "memory")).isEqualTo(100);
		assertThat(storeCalls(this.apps.get(0))).isLessThan(50);
		Awaitility.await()
			.untilAsserted(() -> assertThat(remaining(this.apps.get(1))).as("without those of all instances")
				.isLessThan(100_000 - 300));
	}

	private static long remaining(App app) {
		return app.get("/product/1").headers().firstValueAsLong("X-RateLimit-Remaining").orElseThrow();
	}

	@Test
	@DisplayName("0.15, 0.28: three instances admit a limit once, and no more above it than the formula says")
	void threeInstancesAdmitTheLimitAndLittleMore() {
		start(3);
		long admitted = 0;
		for (int round = 0; round < 10; round++) {
			for (App app : this.apps) {
				admitted += admitted(app, 5, "/product/2");
			}
		}
		long mayHoldBack = 60 * 20 / 100 / 4;
		assertThat(admitted).isBetween(60L, 60L + 3 * mayHoldBack);
	}

	@Test
	void permitsOfARequestThatAnotherRuleRefusesAreReleased() {
		start(1);
		assertThat(admitted(this.apps.get(0), 20, "/product/3")).isEqualTo(5);
		this.apps.remove(0).close();
		assertThat(counted(this.jedis, "first")).isEqualTo(5);
	}

	@Test
	void allPermitsAreSyncedBeforeAnInstanceStops() {
		start(1);
		assertThat(admitted(this.apps.get(0), 123, "/product/1")).isEqualTo(123);
		this.apps.remove(0).close();
		assertThat(counted(this.jedis, "wide")).isEqualTo(123);
	}

	@Test
	void whileRedisIsAwayCountingGoesOnAndIsSyncedLater() {
		start(1);
		App app = this.apps.get(0);
		assertThat(admitted(app, 50, "/product/1")).isEqualTo(50);
		Awaitility.await().until(() -> counted(this.jedis, "wide") == 50);
		this.redis.kill();
		assertThat(admitted(app, 200, "/product/1")).isEqualTo(200);
		assertThat(requests(app, "allowed", "local")).as("within its local quota").isZero();
		this.redis.restart();
		try (Jedis again = new Jedis(this.redis.host(), this.redis.port())) {
			Awaitility.await()
				.ignoreExceptions()
				.untilAsserted(() -> assertThat(counted(again, "wide") + lost(app)).isEqualTo(200));
		}
	}

	@Test
	void withRedisAwayAndTheLocalQuotaSpentThePolicyDecides() {
		start(1);
		App app = this.apps.get(0);
		assertThat(admitted(app, 1, "/product/2")).isOne();
		this.redis.kill();
		long admitted = admitted(app, 200, "/product/2");
		assertThat(admitted).as("its local quota, and its share, which is the whole limit").isBetween(60L, 60L + 6);
		assertThat(app.statuses(10, "GET", "/product/2")).containsOnly(429);
	}

}

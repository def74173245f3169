package dev.ratelimit.integration.operations;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.ratelimit.RateLimitDecision;
import dev.ratelimit.RateLimitDecision.Allowed;
import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.RateLimiter;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RuleFiles;
import dev.ratelimit.store.PermitIds;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A context that is stopped, as before a checkpoint, or paused, as Spring's test
 * framework pauses those that it caches, is no instance: it sends no heartbeat and has no
 * connection. When it starts again, everything works again.
 */
class StoppedContextTests {

	private static RedisServer redis;

	private static Jedis jedis;

	private final String prefix = App.newPrefix();

	@BeforeAll
	static void startRedis() {
		redis = RedisServer.start();
		jedis = new Jedis(redis.host(), redis.port());
	}

	@AfterAll
	static void stopRedis() {
		jedis.close();
		redis.close();
	}

	@Test
	void cachedTestContextsAreNoInstances() {
		try (App first = start("ratelimit.rules.r: {thresholds: 1/1m}")) {
			awaitInstances(1);
			first.context().pause();
			try (App second = start("ratelimit.rules.r: {thresholds: 2/1m}")) {
				awaitInstances(1);
				second.context().pause();
				assertThat(connections()).isZero();
				try (App third = start("ratelimit.rules.r: {thresholds: 3/1m}")) {
					awaitInstances(1);
					assertThat(third.context().isRunning()).isTrue();
					first.context().restart();
					awaitInstances(2);
				}
				awaitInstances(1);
			}
			assertThat(decide(first, "r").source()).isEqualTo(Source.STORE);
		}
		awaitInstances(0);
		assertThat(connections()).isZero();
	}

	@Test
	void everythingWorksAgainAfterAStart(@TempDir Path directory) throws IOException {
		Path rules = Files.writeString(directory.resolve("rules.yml"), "ratelimit.rules.open: {thresholds: 10/1h}");
		try (App app = start("""
				ratelimit.rule-source: {file: '%s', refresh: 100ms}
				ratelimit.rules:
				  leased: {mode: leased, lease-time: 1m, lease-size: 40, thresholds: 60/1h}
				  synced: {mode: synced, sync-interval: 1m, algorithm: fixed-window, thresholds: 100/1h}
				  denied: {thresholds: 10/1h, on-store-failure: deny}
				""".formatted(rules))) {
			String name = permitName(app);
			assertThat(decide(app, "leased").source()).isEqualTo(Source.STORE);
			assertThat(decide(app, "leased").source()).isEqualTo(Source.LEASE);
			decide(app, "synced");
			decide(app, "synced");
			assertThat(synced()).as("the second was admitted here").isOne();

			app.context().stop();

			assertThat(instances()).isZero();
			assertThat(connections()).isZero();
			assertThat(jedis.zcard(key("leased"))).as("what is left of leases was released").isEqualTo(2);
			assertThat(synced()).as("what was counted here was sent").isEqualTo(2);
			assertThat(decide(app, "denied")).isInstanceOf(Unavailable.class);
			assertThat(decide(app, "open")).isInstanceOf(Allowed.class)
				.extracting(RateLimitDecision::source)
				.isEqualTo(Source.LOCAL);
			assertThat(connections()).isZero();

			app.context().start();

			awaitInstances(1);
			assertThat(permitName(app)).isNotEqualTo(name);
			Awaitility.await().until(() -> decide(app, "denied").source() == Source.STORE);
			assertThat(decide(app, "leased").source()).isEqualTo(Source.STORE);
			assertThat(decide(app, "leased").source()).isEqualTo(Source.LEASE);
			decide(app, "synced");
			decide(app, "synced");
			assertThat(synced()).as("the first asked Redis, the second was admitted here").isEqualTo(3);
			RuleFiles.replace(rules, "ratelimit.rules.open: {thresholds: 20/1h}");
			Awaitility.await().until(() -> decide(app, "open").quotas().get(0).limit() == 20);
		}
		assertThat(connections()).isZero();
	}

	private static RateLimitDecision decide(App app, String rule) {
		return app.bean(RateLimiter.class).tryAcquire(rule);
	}

	/** The part of a permit's name that is the same for all permits of an instance. */
	private static String permitName(App app) {
		return app.bean(PermitIds.class).next().text().substring(0, 6);
	}

	private String key(String rule) {
		return jedis.keys(this.prefix + ":{" + rule + ":*").iterator().next();
	}

	private long synced() {
		return (Long) jedis.eval("return (struct.unpack('<I7', redis.call('GET', KEYS[1]), 13))", 1, key("synced"));
	}

	private long instances() {
		return jedis.zcard(this.prefix + ":{instances}");
	}

	private void awaitInstances(long count) {
		Awaitility.await().until(() -> instances() == count);
	}

	private static long connections() {
		return jedis.clientList().lines().filter((line) -> line.contains("name=ratelimit")).count();
	}

	private App start(String rules, Class<?>... beans) {
		return App.start(this.prefix, """
				spring.data.redis.port: %d
				ratelimit.deadline: 10s
				ratelimit.defaults.key: global
				""".formatted(redis.port()) + rules, beans);
	}

}

package dev.ratelimit.datacenters;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.RuleFiles;
import dev.ratelimit.rule.live.RuleRefresh;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two data centres that do not start together, and whose rules change.
 */
class DataCenterChangesHttpTests {

	private static final String SETTINGS = """
			spring.data.redis: {host: 127.0.0.1, port: %d}
			ratelimit:
			  deadline: 10s
			  instances: 2
			  datacenter:
			    name: %s
			    peers.%s: {host: 127.0.0.1, port: %d}
			  rule-source: {file: '%s', refresh: 1h}
			management.endpoint.health.show-details: always
			""";

	private static final String SHOP = """
			  shop: {paths: '/product/1', key: 'header:Client', algorithm: fixed-window, thresholds: %s,
			    scope: everywhere, exchange-interval: 20ms, plan-key: 'header:Plan', plans: {pro: 200/1d}}
			""";

	private final RedisServer redisOfA = RedisServer.start();

	private final RedisServer redisOfB = RedisServer.start();

	private final String prefix = App.newPrefix();

	private final List<App> apps = new ArrayList<>();

	/** Of the rules in a, and of those in b. */
	@TempDir
	private Path directory;

	@BeforeEach
	void shop() {
		write("a", SHOP.formatted("100/1d"));
		write("b", SHOP.formatted("100/1d"));
	}

	@AfterEach
	void closeAll() {
		this.apps.forEach(App::close);
		this.redisOfA.close();
		this.redisOfB.close();
	}

	private Path file(String name) {
		return this.directory.resolve(name + ".yml");
	}

	private void write(String name, String rules) {
		RuleFiles.replace(file(name), "ratelimit.rules:\n" + rules);
	}

	private App startA() {
		return start("a", this.redisOfA, "b", this.redisOfB);
	}

	private App startB() {
		return start("b", this.redisOfB, "a", this.redisOfA);
	}

	private App start(String name, RedisServer home, String peer, RedisServer there) {
		App app = App.start(this.prefix, SETTINGS.formatted(home.port(), name, peer, there.port(), file(name)));
		this.apps.add(app);
		return app;
	}

	private static int admitted(App app, int requests, String... headers) {
		int admitted = 0;
		for (int i = 0; i < requests; i++) {
			if (app.get("/product/1", headers.length > 0 ? headers : new String[] { "Client", "alice" })
				.statusCode() == 200) {
				admitted++;
			}
		}
		return admitted;
	}

	/** Requests to all until at least this many are admitted, and some more. */
	private static int all(int least, List<App> apps, String... headers) {
		int[] admitted = { 0 };
		Awaitility.await().untilAsserted(() -> {
			apps.forEach((app) -> admitted[0] += admitted(app, 20, headers));
			assertThat(admitted[0]).isGreaterThanOrEqualTo(least);
		});
		apps.forEach((app) -> admitted[0] += admitted(app, 30, headers));
		return admitted[0];
	}

	private static String health(App app) {
		return app.get("/actuator/health").body();
	}

	private static double refused(App app, String source) {
		return app.bean(MeterRegistry.class)
			.get("ratelimit.requests")
			.tags("outcome", "rejected", "source", source)
			.counters()
			.stream()
			.mapToDouble(Counter::count)
			.sum();
	}

	@Test
	void anApplicationStartsWhileTheRedisOfAnotherIsAway() {
		this.redisOfB.kill();
		App a = startA();
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(health(a)).contains("\"dataCenters\":{\"b\":\"Data centre b does not reply\"}")
						.contains("\"status\":\"UP\""));
		assertThat(admitted(a, 50)).isEqualTo(5 + 20);

		this.redisOfB.restart();
		App b = startB();
		assertThat(25 + all(95 - 25, List.of(a))).isEqualTo(95);
		assertThat(admitted(b, 50)).isEqualTo(5);
		Awaitility.await()
			.untilAsserted(() -> assertThat(health(a)).contains("\"dataCenters\":{\"b\":\"exchanging\"}"));
	}

	@Test
	void noRefusalIsRepeatedFromMemory() {
		App a = startA();
		startB();
		all(95, List.of(a));
		double decided = refused(a, "store");
		assertThat(admitted(a, 10)).isZero();
		assertThat(refused(a, "store") - decided).isEqualTo(10);
	}

	@Test
	void theInstancesOfADataCenterDivideItsShareWhileItsRedisIsAway() {
		App a = startA();
		this.redisOfA.close();
		assertThat(admitted(a, 20, "Client", "alice", "Plan", "pro")).as("half of 10").isEqualTo(5);
	}

	@Test
	void withoutPeersALimitIsOfThisDataCenter() {
		try (App alone = App.start("""
				spring.data.redis: {host: 127.0.0.1, port: %d}
				ratelimit:
				  deadline: 10s
				  datacenter.name: a
				  rules:
				""".formatted(this.redisOfA.port()) + SHOP.formatted("100/1d").indent(2))) {
			assertThat(admitted(alone, 120)).isEqualTo(100);
		}
	}

	@Test
	void theLimitOfAPlanIsShared() {
		List<App> both = List.of(startA(), startB());
		assertThat(all(200, both, "Client", "alice", "Plan", "pro")).isBetween(200, 240);
		assertThat(all(100, both, "Client", "bob")).isBetween(100, 120);
	}

	@Test
	void aRaisedLimitHoldsOnceAllHaveIt() {
		App a = startA();
		App b = startB();
		int before = all(100, List.of(a, b));
		assertThat(before).isBetween(100, 120);

		write("a", SHOP.formatted("300/1d"));
		a.bean(RuleRefresh.class).refresh();
		assertThat(admitted(a, 50)).as("b has the old one").isZero();
		write("b", SHOP.formatted("300/1d"));
		b.bean(RuleRefresh.class).refresh();
		assertThat(before + all(300 - before, List.of(a, b))).isBetween(300, 360);
	}

	@Test
	void aRuleThatIsRemovedAdmitsAndMayComeBack() {
		App a = startA();
		App b = startB();
		all(95, List.of(a));
		write("a", "  other: {paths: '/other', thresholds: 1/1d}\n");
		a.bean(RuleRefresh.class).refresh();
		assertThat(admitted(a, 20)).isEqualTo(20);
		assertThat(admitted(b, 20)).as("it has the rule").isEqualTo(5);

		write("a", SHOP.formatted("100/1d"));
		a.bean(RuleRefresh.class).refresh();
		assertThat(admitted(a, 20)).isZero();
		assertThat(all(95, List.of(a), "Client", "bob")).isEqualTo(95);
	}

}

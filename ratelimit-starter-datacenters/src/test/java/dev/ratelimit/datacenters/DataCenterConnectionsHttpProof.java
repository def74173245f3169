package dev.ratelimit.datacenters;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.ratelimit.embeddedredis.RedisCluster;
import dev.ratelimit.embeddedredis.RedisSentinels;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.TestCertificates;
import dev.ratelimit.integration.support.App;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The Redis of a data centre may be of any form, for its own instances and for those of
 * the others.
 */
@Tag("proof-slow")
class DataCenterConnectionsHttpProof {

	private static final String SETTINGS = """
			spring.data.redis: %s
			%s
			ratelimit:
			  deadline: 10s
			  datacenter: {name: %s, peers: {%s: %s}}
			  rules:
			    shop: {paths: '/product/1', key: 'header:Client', algorithm: fixed-window, thresholds: 100/1d,
			      scope: everywhere, exchange-interval: 20ms}
			management.endpoint.health.show-details: always
			management.endpoint.ratelimits.access: unrestricted
			""";

	private final String prefix = App.newPrefix();

	/** 100 of all clients together, and 20 above at most. */
	private void assertShared(String redisOfA, String redisOfB, String more) {
		try (App a = App.start(this.prefix, SETTINGS.formatted(redisOfA, more, "a", "b", redisOfB));
				App b = App.start(this.prefix, SETTINGS.formatted(redisOfB, more, "b", "a", redisOfA))) {
			for (String client : List.of("alice", "bob", "carol")) {
				// A data centre that was stopped exchanges again.
				a.context().pause();
				a.context().restart();
				int[] admitted = { 0 };
				Awaitility.await().pollInterval(Duration.ofMillis(10)).untilAsserted(() -> {
					admitted[0] += admitted(a, client) + admitted(b, client);
					assertThat(admitted[0]).isGreaterThanOrEqualTo(100);
				});
				for (int i = 0; i < 5; i++) {
					admitted[0] += admitted(a, client) + admitted(b, client);
				}
				assertThat(admitted[0]).isBetween(100, 120);
			}
			Awaitility.await()
				.untilAsserted(() -> assertThat(a.get("/actuator/health").body())
					.contains("\"dataCenters\":{\"b\":\"exchanging\"}"));
			assertThat(a.send("DELETE", "/actuator/ratelimits/shop?key=alice").statusCode()).isBetween(200, 204);
			assertThat(admitted(a, "alice")).isPositive();
		}
	}

	private static int admitted(App app, String client) {
		int admitted = 0;
		for (int i = 0; i < 10; i++) {
			admitted += (app.get("/product/1", "Client", client).statusCode() == 200) ? 1 : 0;
		}
		return admitted;
	}

	@Test
	void eachMayBeACluster() {
		try (RedisCluster a = RedisCluster.start(3, 0); RedisCluster b = RedisCluster.start(3, 0)) {
			assertShared(cluster(a), cluster(b), "");
		}
	}

	private static String cluster(RedisCluster cluster) {
		return "{cluster: {nodes: '%s'}}".formatted(String.join(",", cluster.addresses()));
	}

	@Test
	void eachMayBeFoundBySentinels() {
		try (RedisServer a = RedisServer.start();
				RedisServer b = RedisServer.start();
				RedisSentinels ofA = RedisSentinels.start("first", a, 1);
				RedisSentinels ofB = RedisSentinels.start("second", b, 1)) {
			assertShared(sentinels("first", ofA), sentinels("second", ofB), "");
		}
	}

	private static String sentinels(String master, RedisSentinels sentinels) {
		return "{sentinel: {master: %s, nodes: '%s'}}".formatted(master, String.join(",", sentinels.addresses()));
	}

	@Test
	void eachMayUseTls(@TempDir Path directory) throws Exception {
		TestCertificates certificates = new TestCertificates(directory).issue("here");
		String bundle = "spring.ssl.bundle.pem.redis.truststore.certificate: file:" + certificates.certificate("here");
		try (RedisServer a = certificates.start("here"); RedisServer b = certificates.start("here")) {
			assertShared(encrypted(a), encrypted(b), bundle);
		}
	}

	private static String encrypted(RedisServer server) {
		return "{host: localhost, port: %d, ssl: {bundle: redis}}".formatted(server.port());
	}

}

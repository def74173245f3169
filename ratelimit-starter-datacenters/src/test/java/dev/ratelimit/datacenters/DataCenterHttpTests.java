package dev.ratelimit.datacenters;

import java.util.List;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.integration.support.App;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application in two data centres, with a Redis each.
 */
class DataCenterHttpTests {

	private static final String RULES = """
			spring.data.redis: {host: 127.0.0.1, port: %d}
			ratelimit.deadline: 10s
			ratelimit.key-secret: %s
			ratelimit.datacenter:
			  name: %s
			  peers: {%s: {host: 127.0.0.1, port: %d}}
			ratelimit.rules:
			  shop: {paths: '/product/1', key: 'header:Client', algorithm: fixed-window, thresholds: 100/1d,
			    scope: everywhere, exchange-interval: 20ms, on-store-failure: local}
			management.endpoints.web.exposure.include: '*'
			management.endpoint.health.show-details: always
			management.endpoint.ratelimits.access: unrestricted
			""";

	private final RedisServer redisOfA = RedisServer.start();

	private final RedisServer redisOfB = RedisServer.start();

	private final String prefix = App.newPrefix();

	private App a = start("a", this.redisOfA, "b", this.redisOfB, "same");

	private App b = start("b", this.redisOfB, "a", this.redisOfA, "same");

	private App start(String name, RedisServer home, String peer, RedisServer there, String secret) {
		return App.start(this.prefix, RULES.formatted(home.port(), secret, name, peer, there.port()));
	}

	@AfterEach
	void closeAll() {
		List.of(this.a, this.b).forEach(App::close);
		this.redisOfA.close();
		this.redisOfB.close();
	}

	private static int admitted(App app, int requests) {
		int admitted = 0;
		for (int i = 0; i < requests; i++) {
			if (app.get("/product/1", "Client", "alice").statusCode() == 200) {
				admitted++;
			}
		}
		return admitted;
	}

	private static String health(App app) {
		return app.get("/actuator/health").body();
	}

	@Test
	@DisplayName("3.23: data centres share a limit")
	void aLimitHoldsInAllDataCentersTogether() {
		int[] admitted = { 0 };
		Awaitility.await().untilAsserted(() -> {
			admitted[0] += admitted(this.a, 10) + admitted(this.b, 10);
			assertThat(admitted[0]).isGreaterThanOrEqualTo(100);
		});
		admitted[0] += admitted(this.a, 50) + admitted(this.b, 50);
		assertThat(admitted[0]).isBetween(100, 120);
		Awaitility.await()
			.untilAsserted(() -> assertThat(health(this.a)).contains("\"dataCenters\":{\"b\":\"exchanging\"}"));
		MeterRegistry meters = this.a.bean(MeterRegistry.class);
		assertThat(meters.get("ratelimit.exchange.age").tags("peer", "b").timeGauge().value()).isBetween(0.0, 10_000.0);
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(meters.get("ratelimit.exchange.unacknowledged").tags("peer", "b").gauge().value())
						.isZero());
	}

	@Test
	void aRequestThatLacksAnAcknowledgementIsToldToRetryInASecond() {
		this.redisOfB.close();
		assertThat(admitted(this.a, 100)).as("share and bound").isEqualTo(5 + 20);
		var refused = this.a.get("/product/1", "Client", "alice");
		assertThat(refused.statusCode()).isEqualTo(429);
		assertThat(refused.headers().firstValue("Retry-After")).contains("1");
		assertThat(this.a.bean(MeterRegistry.class).get("ratelimit.exchange.missing").functionCounter().count())
			.as("none was repeated from memory")
			.isEqualTo(76);
	}

	@Test
	void whileTheRedisHereIsAwayTheShareIsAdmitted() {
		this.redisOfA.close();
		assertThat(admitted(this.a, 20)).isEqualTo(5);
	}

	@Test
	void oneThatIsConfiguredDifferentlyIsShownAndKeepsToItsShare() {
		this.b.close();
		this.b = start("b", this.redisOfB, "a", this.redisOfA, "other");
		Awaitility.await()
			.untilAsserted(() -> assertThat(health(this.b))
				.contains("Data centre a has another ratelimit.key-secret or ratelimit.ipv6-prefix than b"));
		Awaitility.await()
			.untilAsserted(() -> assertThat(health(this.a))
				.contains("Data centre b has another ratelimit.key-secret or ratelimit.ipv6-prefix than a"));
		assertThat(admitted(this.a, 20) + admitted(this.b, 20)).isEqualTo(5 + 5);
	}

	@Test
	void aClientIsResetInAllDataCenters() {
		Awaitility.await().untilAsserted(() -> {
			admitted(this.a, 10);
			assertThat(admitted(this.a, 10)).isZero();
		});
		assertThat(this.a.send("DELETE", "/actuator/ratelimits/shop?key=alice").statusCode()).isBetween(200, 204);
		assertThat(admitted(this.a, 10)).isEqualTo(10);
	}

}

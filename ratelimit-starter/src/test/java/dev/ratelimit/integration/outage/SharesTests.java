package dev.ratelimit.integration.outage;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.integration.support.App;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The instances among which limits are shared while Redis is away.
 */
class SharesTests {

	@Test
	void anInstanceThatShutsDownRemovesItsEntry() {
		String prefix = App.newPrefix();
		try (RedisServer redis = RedisServer.start();
				Jedis jedis = new Jedis(redis.host(), redis.port());
				App staying = start(prefix, redis)) {
			try (App leaving = start(prefix, redis)) {
				Awaitility.await().until(() -> jedis.zcard(prefix + ":{instances}") == 2);
				assertThat(leaving.get("/product/1").statusCode()).isEqualTo(200);
			}
			Awaitility.await().until(() -> jedis.zcard(prefix + ":{instances}") == 1);
			assertThat(staying.get("/product/1").statusCode()).isEqualTo(200);
		}
	}

	private static App start(String prefix, RedisServer redis) {
		return App.start(prefix, """
				spring.data.redis.port: %d
				ratelimit.deadline: 10s
				ratelimit.rules.first: {paths: '/product/1', thresholds: 100/10m}
				""".formatted(redis.port()));
	}

}

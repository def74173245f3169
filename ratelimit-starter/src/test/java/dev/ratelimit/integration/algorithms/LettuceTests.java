package dev.ratelimit.integration.algorithms;

import java.time.Duration;

import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.SharedCluster;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The limiter's connections are its own, whichever driver the application uses.
 */
@ExtendWith(SharedCluster.class)
class LettuceTests {

	private static final String RULE = "ratelimit.rules.v1: {paths: /v1/product, thresholds: 2/10m}\n";

	@Test
	@DisplayName("1.15 Redis is where spring.data.redis.* says, and an application on Lettuce keeps its own connections")
	void applicationOnLettuceKeepsItsConnections() {
		try (App app = App.start(SharedCluster.yaml() + RULE)) {
			assertThat(app.bean(RedisConnectionFactory.class)).isInstanceOf(LettuceConnectionFactory.class);
			StringRedisTemplate template = app.bean(StringRedisTemplate.class);
			template.opsForValue().set("its-own", "value", Duration.ofMinutes(1));
			assertThat(app.statuses(3, "GET", "/v1/product")).containsExactly(200, 200, 429);
			assertThat(template.opsForValue().get("its-own")).isEqualTo("value");
		}
	}

	@Test
	void applicationOnJedisKeepsItsConnections() {
		try (App app = App.start(SharedCluster.yaml() + "spring.data.redis.client-type: jedis\n" + RULE)) {
			assertThat(app.bean(RedisConnectionFactory.class)).isInstanceOf(JedisConnectionFactory.class);
			assertThat(app.statuses(3, "GET", "/v1/product")).containsExactly(200, 200, 429);
		}
	}

}

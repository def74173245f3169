package dev.ratelimit.integration.failure;

import java.util.Map;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.integration.support.App;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application without a processor to spare admits exactly the limit, as long as Redis
 * replies: a delay of its own threads is no failure of Redis.
 */
class StarvationTests {

	private static final int CLIENTS = 200;

	private static final int EACH = 4;

	private static final int LIMIT = 500;

	@Test
	void twoHundredThreadsThatComputeAreAdmittedExactlyToTheLimit() throws InterruptedException {
		try (RedisServer redis = RedisServer.start();
				App app = App.start("spring.data.redis.port: " + redis.port() + """

						ratelimit.deadline: 2s
						server.tomcat.threads: {max: %d, min-spare: %d}
						ratelimit.rules:
						  computing: {paths: /compute, key: global, thresholds: %d/1h}
						""".formatted(CLIENTS, CLIENTS, LIMIT), Stampede.Computation.class)) {
			assertThat(Stampede.run(app.port(), CLIENTS, EACH))
				.isEqualTo(Map.of(200, LIMIT, 429, CLIENTS * EACH - LIMIT));
			assertThat(app.bean(MeterRegistry.class).get("ratelimit.store.failures").counters()).isNotEmpty()
				.allMatch((counter) -> counter.count() == 0);
		}
	}

}

package dev.ratelimit.integration.failure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.integration.support.App;
import dev.ratelimit.integration.support.AppProcess;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Several processes decide alone: together they admit exactly the limit.
 */
@Tag("proof-algorithms")
class SharesProof {

	private static AppProcess start(RedisServer redis, String prefix) throws Exception {
		return new AppProcess(List.of("--ratelimit.key-prefix=" + prefix, "--ratelimit.deadline=10s",
				"--spring.data.redis.port=" + redis.port(), "--management.endpoint.health.show-details=always",
				"--ratelimit.defaults.key=global", "--ratelimit.rules.first.paths=/product/1",
				"--ratelimit.rules.first.thresholds=100/10m", "--ratelimit.rules.second.paths=/product/2",
				"--ratelimit.rules.second.thresholds=101/10m"));
	}

	private static void awaitNumber(int number, List<AppProcess> instances) {
		for (AppProcess instance : instances) {
			Awaitility.await()
				.atMost(60, TimeUnit.SECONDS)
				.until(() -> App.send(instance.port(), "GET", "/actuator/health/ratelimit")
					.body()
					.contains("\"instances\":" + number));
		}
	}

	private static List<Integer> admitted(List<AppProcess> instances, String path) {
		List<Integer> admitted = new ArrayList<>();
		for (AppProcess instance : instances) {
			int count = 0;
			for (int i = 0; i < 110; i++) {
				count += (App.send(instance.port(), "GET", path).statusCode() == 200) ? 1 : 0;
			}
			admitted.add(count);
		}
		return admitted;
	}

	@Test
	void sharesOfInstancesAddUpToTheLimitAlsoAfterOneHasDied() throws Exception {
		List<AppProcess> instances = new ArrayList<>();
		String prefix = App.newPrefix();
		try (RedisServer redis = RedisServer.start()) {
			for (int i = 0; i < 3; i++) {
				instances.add(start(redis, prefix));
			}
			for (AppProcess instance : instances) {
				instance.awaitStart();
			}
			awaitNumber(3, instances);
			redis.kill();
			assertThat(admitted(instances, "/product/1")).containsExactlyInAnyOrder(34, 33, 33);

			redis.restart();
			awaitKeys(redis, prefix, 3);
			instances.get(1).kill();
			List<AppProcess> left = List.of(instances.get(0), instances.get(2));
			awaitNumber(2, left);
			redis.kill();
			assertThat(admitted(left, "/product/2")).containsExactlyInAnyOrder(51, 50);
			System.out.println("Without Redis, three instances admit 100 of 100, and two of them 101 of 101");
		}
		finally {
			instances.forEach(AppProcess::close);
		}
	}

	private static void awaitKeys(RedisServer redis, String prefix, int number) {
		try (Jedis jedis = new Jedis(redis.host(), redis.port())) {
			Awaitility.await().until(() -> jedis.zcard(prefix + ":{instances}") == number);
		}
	}

}

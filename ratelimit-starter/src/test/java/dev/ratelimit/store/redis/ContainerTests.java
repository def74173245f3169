package dev.ratelimit.store.redis;

import java.util.List;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limits;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A smoke test on the official image, plain and as a cluster, where Docker exists.
 * Nothing rests on it.
 */
@Testcontainers(disabledWithoutDocker = true)
class ContainerTests {

	private static final DockerImageName IMAGE = DockerImageName.parse("redis:7.4-alpine");

	private static final int PORT = 6379;

	@Container
	private static final GenericContainer<?> PLAIN = new GenericContainer<>(IMAGE).withExposedPorts(PORT);

	@Container
	private static final GenericContainer<?> CLUSTER = new GenericContainer<>(IMAGE).withExposedPorts(PORT)
		.withCommand("redis-server", "--cluster-enabled", "yes");

	@Test
	void aPlainRedisDecides() {
		try (RedisStore store = SharedRedis.store(TestConnectionDetails.standalone(address(PLAIN)),
				SharedRedis.SETTINGS)) {
			assertAdmitsOnce(store);
		}
	}

	@Test
	void aClusterDecides() {
		try (Jedis redis = new Jedis(CLUSTER.getHost(), CLUSTER.getMappedPort(PORT))) {
			redis.configSet("cluster-announce-ip", "127.0.0.1");
			redis.configSet("cluster-announce-port", Integer.toString(CLUSTER.getMappedPort(PORT)));
			redis.clusterAddSlotsRange(0, 16383);
			Awaitility.await().until(() -> redis.clusterInfo().contains("cluster_state:ok"));
		}
		try (RedisStore store = SharedRedis.store(TestConnectionDetails.cluster(List.of(address(CLUSTER))),
				SharedRedis.SETTINGS)) {
			assertAdmitsOnce(store);
		}
	}

	private static void assertAdmitsOnce(RedisStore store) {
		assertThat(StoreRequests.acquire(store, Limits.of("container", "1/60s"), "a"))
			.isInstanceOf(AcquireResult.Admitted.class);
		assertThat(StoreRequests.acquire(store, Limits.of("container", "1/60s"), "a"))
			.isInstanceOf(AcquireResult.Refused.class);
	}

	private static String address(GenericContainer<?> container) {
		return container.getHost() + ":" + container.getMappedPort(PORT);
	}

}

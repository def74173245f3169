package dev.ratelimit.autoconfigure;

import java.util.List;

import dev.ratelimit.RateLimiter;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.utility.DockerImageName;
import redis.clients.jedis.Jedis;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A smoke test on the official image, alone and as a Cluster, where Docker exists.
 * Nothing rests on it: {@link ConfiguredRedisTests} shows what connection details do.
 */
@Testcontainers(disabledWithoutDocker = true)
@SpringBootTest(properties = { ContainerTests.RULE, ContainerTests.DENY, ContainerTests.DEADLINE },
		webEnvironment = WebEnvironment.NONE)
class ContainerTests {

	static final String RULE = "ratelimit.rules.login.thresholds=1/1m";

	/** Without it, the limiter would count alone, too. */
	static final String DENY = "ratelimit.rules.login.on-store-failure=deny";

	static final String DEADLINE = "ratelimit.deadline=10s";

	private static final DockerImageName IMAGE = DockerImageName.parse("redis:7.4-alpine");

	private static final int PORT = 6379;

	@Container
	@ServiceConnection
	static final GenericContainer<?> ALONE = new GenericContainer<>(IMAGE).withExposedPorts(PORT);

	@Container
	static final GenericContainer<?> CLUSTER = new GenericContainer<>(IMAGE).withExposedPorts(PORT)
		.withCommand("redis-server", "--cluster-enabled", "yes");

	@Test
	void aContainerOfTheApplicationDecides(@Autowired RateLimiter limiter) {
		assertAdmitsOnce(limiter);
	}

	/** Boot knows a container only as one server. */
	@Test
	void aClusterDecides() {
		int port = CLUSTER.getMappedPort(PORT);
		try (Jedis redis = new Jedis(CLUSTER.getHost(), port)) {
			redis.configSet("cluster-announce-ip", "127.0.0.1");
			redis.configSet("cluster-announce-port", Integer.toString(port));
			redis.clusterAddSlotsRange(0, 16383);
			Awaitility.await().until(() -> redis.clusterInfo().contains("cluster_state:ok"));
		}
		DataRedisConnectionDetails.Node node = new DataRedisConnectionDetails.Node(CLUSTER.getHost(), port);
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(RateLimitAutoConfiguration.class))
			.withBean(DataRedisConnectionDetails.class, () -> cluster(node))
			.withPropertyValues(RULE, DENY, DEADLINE)
			.run((context) -> assertAdmitsOnce(context.getBean(RateLimiter.class)));
	}

	private static DataRedisConnectionDetails cluster(DataRedisConnectionDetails.Node node) {
		return new DataRedisConnectionDetails() {

			@Override
			public Cluster getCluster() {
				return () -> List.of(node);
			}

		};
	}

	private static void assertAdmitsOnce(RateLimiter limiter) {
		assertThat(limiter.tryAcquire("login", "10.0.0.1").isAllowed()).isTrue();
		assertThat(limiter.tryAcquire("login", "10.0.0.1").isAllowed()).isFalse();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(RateLimitAutoConfiguration.class)
	static class Application {

	}

}

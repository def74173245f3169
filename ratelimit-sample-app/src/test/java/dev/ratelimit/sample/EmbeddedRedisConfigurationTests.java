package dev.ratelimit.sample;

import dev.ratelimit.embeddedredis.RedisCluster;
import dev.ratelimit.embeddedredis.RedisServer;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

class EmbeddedRedisConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withUserConfiguration(Scanned.class);

	@Test
	void embeddedClusterIsTheDefaultAndEndsWithTheContext() {
		RedisCluster[] cluster = new RedisCluster[1];
		this.contextRunner.run((context) -> {
			cluster[0] = context.getBean(RedisCluster.class);
			assertThat(cluster[0].nodes()).hasSize(3).allMatch(RedisServer::isAlive);
			assertThat(context.getBean(DataRedisConnectionDetails.class).getCluster().getNodes())
				.extracting((node) -> node.host() + ":" + node.port())
				.isEqualTo(cluster[0].addresses());
		});
		assertThat(cluster[0].nodes()).noneMatch(RedisServer::isAlive);
	}

	@Test
	void externalRedisLeavesTheConnectionToSpringBoot() {
		this.contextRunner.withPropertyValues("sample.redis=external").run((context) -> {
			assertThat(context).doesNotHaveBean(RedisCluster.class);
			assertThat(context).doesNotHaveBean(DataRedisConnectionDetails.class);
		});
	}

	@Test
	void otherValueFailsTheStartAndNamesBothValues() {
		this.contextRunner.withPropertyValues("sample.redis=extern")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContainingAll("sample.redis", "extern", "'embedded'", "'external'"));
	}

	@Configuration(proxyBeanMethods = false)
	@Import(EmbeddedRedisConfiguration.class)
	static class Scanned {

	}

}

package dev.ratelimit.sample;

import java.util.List;

import dev.ratelimit.embeddedredis.RedisCluster;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The sample's own Redis Cluster of three masters, which needs no installation. It is
 * left out with {@code sample.redis=external}; {@code spring.data.redis.*} then locates
 * Redis, as in any Spring Boot application.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(EmbeddedRedisConfiguration.OnEmbeddedRedis.class)
class EmbeddedRedisConfiguration {

	private static final Log logger = LogFactory.getLog(EmbeddedRedisConfiguration.class);

	@Bean
	RedisCluster redisCluster() {
		// A killed master makes only its own slots unavailable.
		RedisCluster cluster = RedisCluster.start(3, 0, "--cluster-require-full-coverage", "no");
		logger.info("Embedded Redis Cluster: " + String.join(",", cluster.addresses()));
		return cluster;
	}

	@Bean
	DataRedisConnectionDetails redisConnectionDetails(RedisCluster cluster) {
		return new ClusterConnectionDetails(cluster.nodes()
			.stream()
			.map((node) -> new DataRedisConnectionDetails.Node(node.host(), node.port()))
			.toList());
	}

	private record ClusterConnectionDetails(
			List<DataRedisConnectionDetails.Node> nodes) implements DataRedisConnectionDetails {

		@Override
		public Cluster getCluster() {
			return this::nodes;
		}

	}

	/** Refuses any other value before anything is started. */
	static final class OnEmbeddedRedis implements Condition {

		private static final String PROPERTY = "sample.redis";

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			String value = context.getEnvironment().getProperty(PROPERTY, "embedded");
			return switch (value) {
				case "embedded" -> true;
				case "external" -> false;
				default -> throw new InvalidConfigurationPropertyValueException(PROPERTY, value,
						"It is neither 'embedded' nor 'external'.");
			};
		}

	}

}

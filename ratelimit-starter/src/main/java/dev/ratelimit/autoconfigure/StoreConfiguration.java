package dev.ratelimit.autoconfigure;

import java.time.InstantSource;

import dev.ratelimit.limiter.DecisionListener;
import dev.ratelimit.store.LateAnswerListener;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.redis.RedisStoreSettings;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;

/**
 * Where requests are counted.
 */
final class StoreConfiguration {

	private StoreConfiguration() {
	}

	/** For tags: the name of a store would be as many as there are addresses. */
	static String kind(RateLimitStore store) {
		return (store instanceof RedisStore) ? "redis" : (store instanceof MemoryStore) ? "memory" : "custom";
	}

	@Configuration(proxyBeanMethods = false)
	@Conditional(OnRedis.class)
	static class Redis {

		@Bean
		@ConditionalOnMissingBean(RateLimitStore.class)
		RedisStore rateLimitStore(ObjectProvider<DataRedisConnectionDetails> details, RateLimitProperties properties,
				Environment environment, ObjectProvider<DecisionListener> listeners) {
			DataRedisConnectionDetails redis = details.getIfAvailable();
			if (redis == null) {
				throw new RulesNotEnforceableException("ratelimit.store is redis, but Redis is not configured",
						"Let Spring Boot configure Redis (spring.data.redis.*), or set ratelimit.store to memory");
			}
			if (redis.getMasterReplica() != null) {
				throw new RulesNotEnforceableException(
						"Redis is a static master/replica setup (spring.data.redis.masterreplica): the limiter would not "
								+ "know a new master after a failover",
						"Configure Sentinel, a Cluster or the one Redis to count on");
			}
			return RedisStore.connect(redis,
					new RedisStoreSettings(keyPrefix(properties, environment), properties.redis().connectTimeout(),
							properties.redis().maxConnections(), properties.redis().maxWaiting(), "ratelimit"),
					lateAnswers(listeners));
		}

		/** A listener may need the store: they are looked up when there is news. */
		private static LateAnswerListener lateAnswers(ObjectProvider<DecisionListener> listeners) {
			SingletonSupplier<DecisionListener> all = SingletonSupplier
				.of(() -> DecisionListener.all(listeners.orderedStream().toList()));
			return (rule, acknowledged) -> all.obtain().gaveBack(rule, acknowledged);
		}

		private static String keyPrefix(RateLimitProperties properties, Environment environment) {
			if (properties.keyPrefix() != null) {
				return properties.keyPrefix();
			}
			String application = environment.getProperty("spring.application.name", "");
			return StringUtils.hasText(application) ? SettingChecks.keyPrefix("rl:" + application) : "rl";
		}

	}

	@Configuration(proxyBeanMethods = false)
	@Conditional(OnMemory.class)
	static class Memory {

		@Bean
		@ConditionalOnMissingBean(RateLimitStore.class)
		MemoryStore rateLimitStore(@Qualifier(RateLimitAutoConfiguration.CLOCK) InstantSource clock) {
			return new MemoryStore(clock);
		}

	}

	/**
	 * Reads the setting as it is bound: a condition on the text would not know a spelling
	 * with a blank behind it, and no store at all would be made.
	 */
	abstract static class OnStore implements Condition {

		private final RateLimitProperties.Store store;

		OnStore(RateLimitProperties.Store store) {
			this.store = store;
		}

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return Binder.get(context.getEnvironment())
				.bind("ratelimit.store", RateLimitProperties.Store.class)
				.orElse(RateLimitProperties.Store.REDIS) == this.store;
		}

	}

	static final class OnRedis extends OnStore {

		OnRedis() {
			super(RateLimitProperties.Store.REDIS);
		}

	}

	static final class OnMemory extends OnStore {

		OnMemory() {
			super(RateLimitProperties.Store.MEMORY);
		}

	}

}

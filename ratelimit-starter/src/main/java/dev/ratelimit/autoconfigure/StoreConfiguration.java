package dev.ratelimit.autoconfigure;

import java.time.InstantSource;

import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.remote.SharedBucketsLog;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.redis.RedisItemQueue;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.redis.resp.RedisConnections;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import dev.ratelimit.store.wire.CallRunner;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.data.redis.autoconfigure.DataRedisProperties;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The store that requests are counted in.
 */
final class StoreConfiguration {

	private StoreConfiguration() {
	}

	@Lazy
	@Configuration(proxyBeanMethods = false)
	@Conditional(OnRedis.class)
	static class RedisStoreConfiguration {

		/**
		 * Boot's connection details, which do not report that a URL requests TLS. The
		 * class is not public.
		 */
		private static final String BOOTS = DataRedisConnectionDetails.class.getPackageName()
				+ ".PropertiesDataRedisConnectionDetails";

		/**
		 * Bound here, because Boot's bean of these settings would be an additional bean
		 * in the application.
		 */
		@Bean
		@ConditionalOnMissingBean(DataRedisConnectionDetails.class)
		ConfiguredRedis rateLimitStarterRedisConnectionDetails(Environment environment,
				ObjectProvider<SslBundles> bundles) {
			DataRedisProperties properties = Binder.get(environment)
				.bindOrCreate("spring.data.redis", DataRedisProperties.class);
			return new ConfiguredRedis(properties, bundles.getIfAvailable());
		}

		@Bean
		@ConditionalOnMissingBean(RateLimitStore.class)
		RedisStoreSettings rateLimitStarterRedisSettings(RateLimitProperties properties, Environment environment) {
			return new RedisStoreSettings(KeyPrefix.of(properties, environment, "Redis"),
					properties.redis().connectTimeout(), properties.redis().maxConnections(),
					properties.redis().maxWaiting(), "ratelimit");
		}

		@Bean
		@ConditionalOnMissingBean(RateLimitStore.class)
		CallRunner rateLimitStarterRedis(DataRedisConnectionDetails details, ObjectProvider<DataRedisProperties> boots,
				ObjectProvider<SslBundles> bundles, RedisStoreSettings settings) {
			DataRedisConnectionDetails redis = details.getClass().getName().equals(BOOTS)
					? new ConfiguredRedis(boots.getObject(), bundles.getIfAvailable()) : details;
			if (redis.getMasterReplica() != null) {
				throw new RulesNotEnforceableException(
						"Redis is a static master/replica setup (spring.data.redis.masterreplica): the limiter would not "
								+ "know a new master after a failover",
						"Configure Sentinel, a Cluster or the one Redis to count on");
			}
			return new RedisConnections(redis, settings).open();
		}

		@Bean
		@ConditionalOnMissingBean(RateLimitStore.class)
		RedisStore rateLimitStarterStore(CallRunner redis, RedisStoreSettings settings, AllListeners listeners,
				RateLimitProperties properties, SubjectEncoder subjects, ObjectProvider<SslBundles> bundles) {
			return new RedisStore(redis, settings.keyPrefix(),
					(rule, acknowledged) -> listeners.decisions().released(rule, acknowledged),
					ConfiguredPeers.open(properties.datacenter(), settings, subjects, bundles.getIfAvailable()));
		}

		@Bean
		@ConditionalOnBean(RedisStore.class)
		@ConditionalOnMissingBean(ItemQueue.class)
		RedisItemQueue rateLimitStarterItemQueue(CallRunner redis, RedisStoreSettings settings) {
			return new RedisItemQueue(redis, settings.keyPrefix());
		}

	}

	@Lazy
	@Configuration(proxyBeanMethods = false)
	@Conditional(OnMemory.class)
	static class Memory {

		@Bean
		@ConditionalOnMissingBean(RateLimitStore.class)
		MemoryStore rateLimitStarterStore(@Qualifier(RateLimitAutoConfiguration.CLOCK) InstantSource clock) {
			return new MemoryStore(clock, SharedBucketsLog::warn);
		}

	}

	/** The store of a module that is not on the class path. */
	@Lazy
	@Configuration(proxyBeanMethods = false)
	@Conditional(OnMemcached.class)
	static class Memcached {

		@Bean
		@ConditionalOnMissingBean(RateLimitStore.class)
		RateLimitStore rateLimitStarterStore() {
			throw new RulesNotEnforceableException(
					"ratelimit.store is memcached, but its module is not on the class path",
					"Add the dependency dev.ratelimit:ratelimit-starter-memcached");
		}

	}

	/**
	 * Reads the setting as it is bound. A condition on the text would not recognise a
	 * value with a trailing blank, and no store would be created.
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

	static final class OnMemcached extends OnStore {

		OnMemcached() {
			super(RateLimitProperties.Store.MEMCACHED);
		}

	}

}

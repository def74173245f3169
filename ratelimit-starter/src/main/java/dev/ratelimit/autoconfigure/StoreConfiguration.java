package dev.ratelimit.autoconfigure;

import java.time.InstantSource;
import java.util.Optional;

import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.spi.ConditionalOnStore;
import dev.ratelimit.spi.LimitScope;
import dev.ratelimit.spi.RedisScripts;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.memory.MemoryStore;
import dev.ratelimit.store.redis.ModuleScripts;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.redis.resp.RedisConnections;
import dev.ratelimit.store.redis.resp.RedisDetails;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import dev.ratelimit.store.wire.CallRunner;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * The store that requests are counted in.
 */
final class StoreConfiguration {

	/** The name of the bean of the connections to Redis. */
	static final String REDIS = "rateLimitStarterRedis";

	private StoreConfiguration() {
	}

	@Lazy
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnStore(ConditionalOnStore.REDIS)
	@ConditionalOnMissingBean(RateLimitStore.class)
	static class RedisStoreConfiguration {

		private static final String BOOTS = "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails";

		@Bean
		RedisDetails rateLimitStarterRedisDetails(BeanFactory beanFactory, Environment environment,
				ObjectProvider<SslBundles> bundles) {
			Optional<RedisDetails> boots = ClassUtils.isPresent(BOOTS, getClass().getClassLoader())
					? BootRedis.find(beanFactory) : Optional.empty();
			return boots.orElseGet(() -> ConfiguredRedis.ofBoot(environment, bundles.getIfAvailable()));
		}

		@Bean
		RedisStoreSettings rateLimitStarterRedisSettings(RateLimitProperties properties, Environment environment) {
			return new RedisStoreSettings(KeyPrefix.of(properties, environment, "Redis"),
					properties.redis().connectTimeout(), properties.redis().maxConnections(),
					properties.redis().maxWaiting());
		}

		@Bean
		CallRunner rateLimitStarterRedis(RedisDetails details, RedisStoreSettings settings,
				RateLimitLifecycle lifecycle) {
			return lifecycle.add(new RedisConnections(details, settings).open());
		}

		/** Its connections are closed as those of the store. */
		@Bean(destroyMethod = "")
		RedisScripts rateLimitStarterScripts(CallRunner redis, RedisStoreSettings settings, SubjectEncoder subjects,
				ObjectProvider<SslBundles> bundles) {
			return new ModuleScripts(redis, settings.keyPrefix(), subjects.fingerprint(settings.keyPrefix()),
					(place, location) -> new RedisConnections(
							new ConfiguredRedis(place, location, bundles.getIfAvailable()), settings)
						.open());
		}

		@Bean
		RedisStore rateLimitStarterStore(CallRunner redis, RedisStoreSettings settings, AllListeners listeners,
				ObjectProvider<LimitScope> scope) {
			return new RedisStore(redis, settings.keyPrefix(),
					(rule, acknowledged) -> listeners.decisions().released(rule, acknowledged),
					Optional.ofNullable(scope.getIfAvailable()));
		}

	}

	@Lazy
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnStore("memory")
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
	@ConditionalOnStore("memcached")
	static class Memcached {

		@Bean
		@ConditionalOnMissingBean(RateLimitStore.class)
		RateLimitStore rateLimitStarterStore() {
			throw new RulesNotEnforceableException(
					"ratelimit.store is memcached, but its module is not on the class path",
					"Add the dependency dev.ratelimit:ratelimit-starter-memcached");
		}

	}

}

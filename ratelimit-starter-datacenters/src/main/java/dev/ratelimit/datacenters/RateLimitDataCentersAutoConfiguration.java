package dev.ratelimit.datacenters;

import java.util.LinkedHashMap;
import java.util.Map;

import dev.ratelimit.spi.HealthDetails;
import dev.ratelimit.spi.ModuleContext;
import dev.ratelimit.spi.ModuleRules;
import dev.ratelimit.spi.RedisScripts;
import dev.ratelimit.spi.RedisScripts.OpenedRedis;
import dev.ratelimit.store.RateLimitStore;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for limits that several data centres share. Nothing is opened
 * unless a rule is enforced.
 */
@AutoConfiguration(afterName = { "dev.ratelimit.autoconfigure.RateLimitAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
		"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration" })
@EnableConfigurationProperties(DataCenterProperties.class)
@ConditionalOnBean(ModuleContext.class)
@Lazy
public final class RateLimitDataCentersAutoConfiguration {

	@Bean
	ModuleRules rateLimitStarterDataCenterRules(DataCenterProperties properties, ObjectProvider<SharedPools> pools,
			ObjectProvider<RateLimitStore> store) {
		return new DataCenterRules(properties.dataCenters(), pools, () -> store.getObject().describe());
	}

	/** Several data centres. */
	@Lazy
	@Configuration(proxyBeanMethods = false)
	@Conditional(OnPeers.class)
	@ConditionalOnBean(RedisScripts.class)
	static class PeersConfiguration {

		/**
		 * Ended by the limiter, before the connections that it needs, or with its bean.
		 */
		@Bean
		SharedPools rateLimitStarterSharedPools(DataCenterProperties properties, RedisScripts redis,
				ModuleContext context) {
			Map<String, OpenedRedis> peers = new LinkedHashMap<>();
			properties.peers()
				.forEach((peer, location) -> peers.put(peer,
						redis.open("ratelimit.datacenter.peers." + peer, location)));
			String name = properties.dataCenters().orElseThrow().name();
			return context.manage(new SharedPools(new Peers(name, peers, System::nanoTime), redis));
		}

		@Bean
		HealthDetails rateLimitStarterDataCenterHealth(SharedPools pools) {
			return () -> {
				Map<String, String> dataCenters = new LinkedHashMap<>();
				pools.peers().forEach((peer) -> dataCenters.put(peer.name(), peer.problem().orElse("exchanging")));
				return Map.of("dataCenters", dataCenters);
			};
		}

	}

	/** The meters of several data centres. */
	@Configuration(proxyBeanMethods = false)
	@Conditional(OnPeers.class)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(value = { MeterRegistry.class, RedisScripts.class }, name = ModuleContext.RULES)
	static class MetersConfiguration {

		@Bean
		MeterBinder rateLimitStarterDataCenterMetrics(SharedPools pools) {
			return new MicrometerDataCenters(pools::peers, pools::missing);
		}

	}

	/** Without peers, limits of all data centres are limits of this one. */
	static final class OnPeers implements Condition {

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return Binder.get(context.getEnvironment())
				.bind("ratelimit.datacenter.peers", Bindable.mapOf(String.class, Object.class))
				.isBound();
		}

	}

}

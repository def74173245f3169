package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.limiter.rules.RuleSetListener;
import dev.ratelimit.limiter.rules.RuleSetValidator;
import dev.ratelimit.rule.RuleScope;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.redis.datacenter.SharedPools;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
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
 * The beans of an application that runs in several data centres.
 */
@Lazy
@Configuration(proxyBeanMethods = false)
@Conditional(DataCenterConfiguration.OnPeers.class)
class DataCenterConfiguration {

	/** The name of the bean of the pools. */
	static final String POOLS = "rateLimitStarterSharedPools";

	/** Closed by the store, which it needs until then. */
	@Bean(destroyMethod = "")
	@ConditionalOnBean(name = StoreConfiguration.REDIS)
	SharedPools rateLimitStarterSharedPools(RedisStore store) {
		return store.pools().orElseThrow();
	}

	/**
	 * Starts the exchange with other data centres with the application instead of with
	 * its first request: until this one has reported its configuration, the others
	 * exchange nothing with it. Followers do not see the first rules.
	 */
	@Bean
	@Lazy(false)
	SmartInitializingSingleton rateLimitStarterDataCenterStart(ObjectProvider<SharedPools> pools,
			ObjectProvider<ActiveRules> rules, RateLimitProperties properties) {
		return () -> {
			List<Limit> limits = properties.enabled() ? everywhere(rules.getObject().get()) : List.of();
			if (!limits.isEmpty()) {
				pools.ifAvailable((shared) -> {
					shared.retain(limits);
					shared.awaitComparison();
				});
			}
		};
	}

	@Bean
	RuleSetListener rateLimitStarterSharedPoolsFollower(ObjectProvider<SharedPools> pools,
			RateLimitProperties properties) {
		return (rules) -> () -> {
			if (properties.enabled()) {
				pools.ifAvailable((shared) -> shared.retain(everywhere(rules)));
			}
		};
	}

	private static List<Limit> everywhere(CompiledRules rules) {
		return rulesEverywhere(rules).flatMap((rule) -> rule.limits().stream()).map(CompiledLimited::limit).toList();
	}

	private static Stream<CompiledRule> rulesEverywhere(CompiledRules rules) {
		return rules.enabled()
			.stream()
			.filter((rule) -> rule.config().counting().scope().kind() == RuleScope.ScopeKind.EVERYWHERE);
	}

	@Bean
	RuleSetValidator rateLimitStarterScopeCheck(ObjectProvider<SharedPools> pools, ObjectProvider<RateLimitStore> store,
			RateLimitProperties properties) {
		return (rules) -> {
			if (properties.enabled()) {
				rulesEverywhere(rules).findFirst()
					.filter((rule) -> pools.getIfAvailable() == null)
					.ifPresent((rule) -> {
						throw new RulesNotEnforceableException(
								"Rule '%s' has scope everywhere, for which %s cannot count".formatted(rule.id(),
										store.getObject().describe()),
								"Use ratelimit.store redis, or scope datacenter");
					});
			}
		};
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

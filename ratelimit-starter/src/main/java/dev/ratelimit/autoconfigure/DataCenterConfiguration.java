package dev.ratelimit.autoconfigure;

import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.redis.datacenter.Everywhere;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.limiter.rules.RuleSetListener;
import dev.ratelimit.limiter.rules.RuleSetValidator;
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

	@Bean
	@Lazy(false)
	RulesEverywhere rateLimitStarterRulesEverywhere(ObjectProvider<SharedPools> pools,
			ObjectProvider<ActiveRules> rules, ObjectProvider<RateLimitStore> store, RateLimitProperties properties) {
		return new RulesEverywhere(pools, rules, store, properties.enabled());
	}

	/**
	 * Starts the exchange with other data centres with the application instead of with
	 * its first request: until this one has reported its configuration, the others
	 * exchange nothing with it.
	 *
	 * @param pools the pools; there are none if the store cannot count for several data
	 * centres
	 * @param rules the active rules
	 * @param store the store
	 * @param enabled whether rules are enforced
	 */
	record RulesEverywhere(ObjectProvider<SharedPools> pools, ObjectProvider<ActiveRules> rules,
			ObjectProvider<RateLimitStore> store,
			boolean enabled) implements SmartInitializingSingleton, RuleSetListener, RuleSetValidator {

		@Override
		public void afterSingletonsInstantiated() {
			ActiveRules active = this.rules.getObject();
			active.follow(this);
			if (everywhere(active.get()).findAny().isPresent()) {
				this.pools.ifAvailable(SharedPools::awaitComparison);
			}
		}

		@Override
		public Runnable prepare(CompiledRules rules) {
			return () -> {
				// Without rules, no store is created.
				if (this.enabled && !rules.enabled().isEmpty()) {
					this.pools.ifAvailable((shared) -> shared.retain(limits(rules)));
				}
			};
		}

		private List<Limit> limits(CompiledRules rules) {
			return everywhere(rules).flatMap((rule) -> rule.limits().stream()).map(CompiledLimited::limit).toList();
		}

		private Stream<CompiledRule> everywhere(CompiledRules rules) {
			return rules.enabled()
				.stream()
				.filter((rule) -> this.enabled && rule.config().counting().scope() instanceof Everywhere);
		}

		@Override
		public void check(CompiledRules rules) {
			Optional<CompiledRule> rule = everywhere(rules).findFirst();
			if (rule.isPresent() && this.pools.getIfAvailable() == null) {
				throw new RulesNotEnforceableException("Rule '%s' has scope everywhere, for which %s cannot count"
					.formatted(rule.get().id(), this.store.getObject().describe()),
						"Use ratelimit.store redis, or scope datacenter");
			}
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

package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Stream;

import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.rules.RuleSetListener;
import dev.ratelimit.limiter.rules.RuleSetValidator;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.spi.ModuleContext;
import dev.ratelimit.spi.ModuleRules;
import dev.ratelimit.store.LateReplyListener;
import dev.ratelimit.store.Limit;
import dev.ratelimit.support.Restartable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * What modules get from the limiter.
 */
@Lazy
@Configuration(proxyBeanMethods = false)
class ModuleConfiguration {

	@Bean
	ModuleContext rateLimitStarterModules(RateLimitProperties properties, Environment environment,
			RateLimitLifecycle lifecycle, ObjectProvider<AllListeners> listeners) {
		return new Context(properties, environment, lifecycle, listeners);
	}

	@Bean
	FollowingModules rateLimitStarterFollowingModules(ObjectProvider<ModuleRules> modules,
			RateLimitProperties properties) {
		return new FollowingModules(modules, properties.enabled());
	}

	/**
	 * Modules check and follow the rules in force as parts of the starter do.
	 *
	 * @param modules the modules
	 * @param enabled whether rules are enforced
	 */
	record FollowingModules(ObjectProvider<ModuleRules> modules,
			boolean enabled) implements RuleSetValidator, RuleSetListener {

		@Override
		public void check(CompiledRules rules) {
			List<RLConfig> enforced = enforced(rules).map(CompiledRule::config).toList();
			this.modules.orderedStream().forEach((module) -> module.check(enforced));
		}

		@Override
		public Runnable prepare(CompiledRules rules) {
			List<Limit> limits = enforced(rules).flatMap((rule) -> rule.limits().stream())
				.map(CompiledLimited::limit)
				.toList();
			List<ModuleRules> following = this.modules.orderedStream().toList();
			return () -> following.forEach((module) -> module.follow(rules.ruleSet(), limits));
		}

		private Stream<CompiledRule> enforced(CompiledRules rules) {
			return this.enabled ? rules.enabled().stream() : Stream.empty();
		}

	}

	private record Context(RateLimitProperties properties, Environment environment, RateLimitLifecycle lifecycle,
			ObjectProvider<AllListeners> listeners) implements ModuleContext {

		@Override
		public boolean isEnabled() {
			return this.properties.enabled();
		}

		@Override
		public Duration deadline() {
			return this.properties.deadline();
		}

		@Override
		public OptionalInt instances() {
			return this.properties.fixedInstances();
		}

		@Override
		public String keyPrefix(String store) {
			return KeyPrefix.of(this.properties, this.environment, store);
		}

		@Override
		public LateReplyListener lateReplies() {
			return (rule, acknowledged) -> this.listeners.getObject().decisions().released(rule, acknowledged);
		}

		@Override
		public <T extends Restartable> T manage(T part) {
			return this.lifecycle.add(part);
		}

	}

}

package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;

import dev.ratelimit.limiter.CompiledAllowance.CompiledLimited;
import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.SubjectPermits;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.limiter.rules.RuleSetValidator;
import dev.ratelimit.rule.OnLimit.OnLimitKind;
import dev.ratelimit.rule.OpenChoice;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.rule.RuleScope.ScopeKind;
import dev.ratelimit.spi.ModuleContext;
import dev.ratelimit.spi.ModuleRules;
import dev.ratelimit.spi.RulePermits;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.LateReplyListener;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
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
			RateLimitLifecycle lifecycle, ObjectProvider<AllListeners> listeners,
			ObjectProvider<SubjectEncoder> subjects) {
		return new Context(properties, environment, lifecycle, listeners, subjects);
	}

	@Bean
	RulePermits rateLimitStarterRulePermits(ActiveRules rules, RequestLimiter limiter, SubjectEncoder subjects) {
		return new SubjectPermits(rules, limiter, subjects);
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
	record FollowingModules(ObjectProvider<ModuleRules> modules, boolean enabled) implements RuleSetValidator {

		@Override
		public void check(CompiledRules rules) {
			List<RLConfig> enforced = enforced(rules).map(CompiledRule::config).toList();
			List<ModuleRules> modules = this.modules.orderedStream().toList();
			Set<OpenChoice> known = new HashSet<>(List.of(OnLimitKind.values()));
			known.addAll(List.of(ScopeKind.values()));
			modules.forEach((module) -> known.addAll(module.choices()));
			enforced.forEach((rule) -> requireKnown(rule, known));
			modules.forEach((module) -> module.check(enforced));
		}

		private static void requireKnown(RLConfig rule, Set<OpenChoice> known) {
			Stream.of(rule.enforcement().onLimit().kind(), rule.counting().scope().kind())
				.filter((choice) -> !known.contains(choice))
				.findFirst()
				.ifPresent((choice) -> {
					throw new RulesNotEnforceableException("Rule '%s' has %s %s, which nothing here enforces"
						.formatted(rule.id(), choice.key().text(), choice.text()),
							"Do not leave out the auto-configuration of its module");
				});
		}

		/** Each for itself, so that one that fails stops no other. */
		void follow(ActiveRules rules) {
			this.modules.orderedStream().toList().forEach((module) -> rules.followFirst((next) -> {
				List<Limit> limits = enforced(next).flatMap((rule) -> rule.limits().stream())
					.map(CompiledLimited::limit)
					.toList();
				return () -> module.follow(next.ruleSet(), limits);
			}));
		}

		private Stream<CompiledRule> enforced(CompiledRules rules) {
			return this.enabled ? rules.enabled().stream() : Stream.empty();
		}

	}

	private record Context(RateLimitProperties properties, Environment environment, RateLimitLifecycle lifecycle,
			ObjectProvider<AllListeners> listeners, ObjectProvider<SubjectEncoder> subjects) implements ModuleContext {

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
		public String hash(Subject subject) {
			return this.subjects.getObject().hash(subject);
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

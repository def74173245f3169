package dev.ratelimit.autoconfigure;

import dev.ratelimit.limiter.Fallback;
import dev.ratelimit.limiter.remote.Breakers;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.metrics.MicrometerDecisionListener;
import dev.ratelimit.metrics.MicrometerRulesListener;
import dev.ratelimit.metrics.MicrometerStoreListener;
import dev.ratelimit.metrics.ObservedStoreCalls;
import dev.ratelimit.rule.live.RuleLayer;
import dev.ratelimit.rule.live.RuleLayers;
import dev.ratelimit.store.RateLimitStore;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for Micrometer: the meters, and the observations of calls of the
 * store.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class,
		afterName = { "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration" })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(name = RateLimitAutoConfiguration.RULES)
public final class RateLimitMicrometerAutoConfiguration {

	/** The meters of an application with rules. */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@Conditional(OnRules.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class MetersConfiguration {

		@Bean
		MicrometerDecisionListener rateLimitStarterMetrics(ActiveRules rules, MeterRegistry registry) {
			return rules.followFirst(new MicrometerDecisionListener(registry));
		}

		@Bean
		MicrometerRulesListener rateLimitStarterRulesMetrics(RuleLayers layers, MeterRegistry registry) {
			return new MicrometerRulesListener(layers.live().stream().map(RuleLayer::origin).distinct().toList(),
					registry);
		}

		@Bean
		MicrometerStoreListener rateLimitStarterStoreMetrics(RateLimitStore store, Breakers breakers, Fallback fallback,
				MeterRegistry registry) {
			return new MicrometerStoreListener(store.capabilities().type(), breakers,
					fallback.store().capabilities().diagnostics().sharedDecisions(), registry);
		}

	}

	/**
	 * The only meter of an application without rules, so that an alert can detect that
	 * its rules are missing.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnMissingBean(name = RateLimitAutoConfiguration.POSSIBLE_RULES)
	@ConditionalOnBean(MeterRegistry.class)
	static class NoRulesConfiguration {

		/**
		 * Reads the current number, because a rule may be registered after the conditions
		 * were evaluated.
		 */
		@Bean
		MeterBinder rateLimitStarterNoRulesMetrics(ActiveRules rules) {
			return (registry) -> Gauge.builder("ratelimit.rules", () -> rules.get().enabled().size())
				.description("Rules in force")
				.register(registry);
		}

	}

	/** The observations of an application with rules. */
	@Configuration(proxyBeanMethods = false)
	@Conditional(OnRules.class)
	@ConditionalOnBean(ObservationRegistry.class)
	static class ObservationsConfiguration {

		@Bean
		ObservedStoreCalls rateLimitStarterObservedStoreCalls(RateLimitStore store, ObservationRegistry registry) {
			return new ObservedStoreCalls(store.capabilities().type(), registry);
		}

	}

}

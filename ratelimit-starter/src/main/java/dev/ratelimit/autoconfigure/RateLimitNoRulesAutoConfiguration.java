package dev.ratelimit.autoconfigure;

import dev.ratelimit.limiter.live.RulesInForce;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the only meter of an application without rules, so that an
 * alert can detect that its rules are missing.
 */
@AutoConfiguration(after = RateLimitMetricsAutoConfiguration.class)
@ConditionalOnClass(MeterRegistry.class)
@ConditionalOnBean(name = RateLimitAutoConfiguration.RULES, value = MeterRegistry.class)
@ConditionalOnMissingBean(name = RateLimitAutoConfiguration.POSSIBLE_RULES)
public final class RateLimitNoRulesAutoConfiguration {

	/**
	 * Reads the current number, because a rule may be registered after the conditions
	 * were evaluated.
	 */
	@Bean
	MeterBinder rateLimitStarterNoRulesMetrics(RulesInForce rules) {
		return (registry) -> Gauge.builder("ratelimit.rules", () -> rules.get().enabled().size())
			.description("Rules in force")
			.register(registry);
	}

}

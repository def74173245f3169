package dev.ratelimit.autoconfigure;

import dev.ratelimit.metrics.ObservedStoreCalls;
import dev.ratelimit.store.RateLimitStore;
import io.micrometer.observation.ObservationRegistry;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for tracing calls of the store.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@Conditional(OnRules.class)
@ConditionalOnBean(ObservationRegistry.class)
public final class RateLimitObservationAutoConfiguration {

	@Bean
	ObservedStoreCalls rateLimitStarterObservedStoreCalls(RateLimitStore store, ObservationRegistry registry) {
		return new ObservedStoreCalls(store.capabilities().type(), registry);
	}

}

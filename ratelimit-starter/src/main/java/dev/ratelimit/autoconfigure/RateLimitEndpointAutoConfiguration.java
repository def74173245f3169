package dev.ratelimit.autoconfigure;

import dev.ratelimit.actuate.RateLimitsEndpoint;
import dev.ratelimit.limiter.live.RulesInForce;
import dev.ratelimit.rule.live.RuleLayers;
import dev.ratelimit.store.RateLimitStore;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the {@code ratelimits} endpoint.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(RateLimitsEndpoint.class)
public final class RateLimitEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	RateLimitsEndpoint rateLimitsEndpoint(RulesInForce rules, RuleLayers layers, RateLimitStore store,
			RateLimitProperties properties) {
		return new RateLimitsEndpoint(() -> rules.get().ruleSet(), layers, store.describe(), properties.enabled());
	}

}

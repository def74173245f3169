package dev.ratelimit.autoconfigure;

import java.util.List;
import java.util.stream.Stream;

import dev.ratelimit.actuate.RateLimitHealthIndicator;
import dev.ratelimit.limiter.outage.Instances;
import dev.ratelimit.limiter.remote.Breakers;
import dev.ratelimit.limiter.remote.StoreConcerns;
import dev.ratelimit.limiter.remote.StoreWatch;
import dev.ratelimit.queue.QueueStatusBoard;
import dev.ratelimit.rule.live.RuleWarnings;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.redis.datacenter.SharedPools;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the {@code ratelimit} health contributor.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@ConditionalOnClass({ HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class })
@ConditionalOnEnabledHealthIndicator("ratelimit")
@Conditional(OnRules.class)
public final class RateLimitHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "ratelimitHealthIndicator")
	RateLimitHealthIndicator ratelimitHealthIndicator(RateLimitStore store, StoreWatch watch, Breakers breakers,
			Instances instances, RuleWarnings warnings, StoreConcerns concerns, QueueStatusBoard queues,
			ObjectProvider<SharedPools> pools) {
		return new RateLimitHealthIndicator(store.describe(), watch, breakers, instances,
				() -> Stream.concat(warnings.current().stream(), concerns.known().orElse(List.of()).stream()).toList(),
				queues::dead, () -> pools.stream().flatMap((shared) -> shared.peers().stream()).toList());
	}

}

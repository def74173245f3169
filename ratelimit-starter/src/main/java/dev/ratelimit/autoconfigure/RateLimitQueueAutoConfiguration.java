package dev.ratelimit.autoconfigure;

import java.util.Optional;

import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.Waiter;
import dev.ratelimit.limiter.live.RulesInForce;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.queue.worker.HandlingPermits;
import dev.ratelimit.store.PermitIds;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for handling the requests that rules have enqueued.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
@Conditional(OnRules.class)
public final class RateLimitQueueAutoConfiguration {

	@Bean
	HandlingPermits rateLimitStarterQueuePermits(RulesInForce rules, RequestLimiter limiter, SubjectEncoder subjects) {
		return new HandlingPermits(rules, limiter, subjects);
	}

	@Bean
	QueueLifecycle rateLimitStarterQueueLifecycle(ObjectProvider<ItemQueue> queue,
			ObjectProvider<QueuedRequestHandler> handlers, HandlingPermits permits,
			ObjectProvider<QueueListener> listeners, Waiter waiter, PermitIds permitIds,
			RateLimitProperties properties) {
		return new QueueLifecycle(Optional.ofNullable(queue.getIfAvailable()).filter((one) -> properties.enabled()),
				handlers, permits, properties.queue().settings(), listeners, waiter, permitIds);
	}

}

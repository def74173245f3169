package dev.ratelimit.autoconfigure;

import java.time.Duration;
import java.util.Optional;

import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.SubjectEncoder;
import dev.ratelimit.limiter.rules.ActiveRules;
import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueueStatusBoard;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.queue.worker.HandlingPermits;
import dev.ratelimit.queue.worker.QueueThreads;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.support.Listeners;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * The beans that handle the requests that rules have enqueued. Without a
 * {@link QueuedRequestHandler} no rule may enqueue, so there is nothing to handle.
 */
@Lazy
@Configuration(proxyBeanMethods = false)
@Conditional(OnRules.class)
@ConditionalOnBean(QueuedRequestHandler.class)
class QueueConfiguration {

	/** The name of the bean that handles them. */
	static final String LIFECYCLE = "rateLimitStarterQueueLifecycle";

	/** Below the thirty seconds that Spring allows for a phase. */
	private static final Duration GRACE = Duration.ofSeconds(20);

	@Bean
	QueueStatusBoard rateLimitStarterQueueBoard(ActiveRules rules) {
		return new QueueStatusBoard((rule) -> rules.get()
			.find(rule)
			.filter((found) -> found.config().enforcement().onLimit() instanceof Enqueue)
			.isPresent());
	}

	@Bean
	QueueLifecycle rateLimitStarterQueueLifecycle(ObjectProvider<ItemQueue> queue,
			ObjectProvider<QueuedRequestHandler> handlers, ActiveRules rules, RequestLimiter limiter,
			SubjectEncoder subjects, ObjectProvider<QueueListener> listeners, PermitIds permitIds,
			RateLimitProperties properties) {
		Optional<ItemQueue> kept = Optional.ofNullable(queue.getIfAvailable()).filter((one) -> properties.enabled());
		HandlingPermits permits = new HandlingPermits(rules, limiter, subjects);
		return new QueueLifecycle(() -> kept.flatMap((items) -> Optional.ofNullable(handlers.getIfUnique())
			.map((handler) -> QueueThreads.start(items, handler, permits, properties.queue().settings(),
					new Listeners<>("queue listener", listeners.orderedStream().toList()),
					RateLimitAutoConfiguration.WAITER, permitIds, GRACE))));
	}

}

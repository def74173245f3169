package dev.ratelimit.queue.autoconfigure;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueueStatusBoard;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.queue.actuate.QueueDescriptor;
import dev.ratelimit.queue.actuate.QueueEndpointPart;
import dev.ratelimit.queue.redis.RedisItemQueue;
import dev.ratelimit.queue.worker.QueueRules;
import dev.ratelimit.queue.worker.QueueThreads;
import dev.ratelimit.spi.EndpointPart;
import dev.ratelimit.spi.HealthDetails;
import dev.ratelimit.spi.ModuleContext;
import dev.ratelimit.spi.RedisScripts;
import dev.ratelimit.spi.RulePermits;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.support.Listeners;
import dev.ratelimit.support.Waiter;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * What stores and handles the requests that rules have enqueued, and shows them. Without
 * a {@link QueuedRequestHandler} no rule may enqueue, so there is nothing to handle.
 */
@Lazy
@Configuration(proxyBeanMethods = false)
@ConditionalOnBean(value = QueuedRequestHandler.class, name = ModuleContext.RULES)
@RegisterReflectionForBinding(QueueDescriptor.class)
class QueueConfiguration {

	/** The name of the bean that handles them. */
	static final String LIFECYCLE = "rateLimitStarterQueueLifecycle";

	/** Below the thirty seconds that Spring allows for a phase. */
	private static final Duration GRACE = Duration.ofSeconds(20);

	@Bean
	@ConditionalOnBean(RedisScripts.class)
	@ConditionalOnMissingBean(ItemQueue.class)
	RedisItemQueue rateLimitStarterItemQueue(RedisScripts redis) {
		return new RedisItemQueue(redis);
	}

	@Bean
	QueueStatusBoard rateLimitStarterQueueBoard(QueueRules rules) {
		return new QueueStatusBoard(rules::enqueues);
	}

	@Bean
	QueueLifecycle rateLimitStarterQueueLifecycle(ObjectProvider<ItemQueue> queue,
			ObjectProvider<QueuedRequestHandler> handlers, QueueRules rules, RulePermits permits,
			ObjectProvider<QueueListener> listeners, PermitIds permitIds, ModuleContext context,
			RateLimitQueueProperties properties) {
		Waiter waiter = new Waiter(System::nanoTime, LockSupport::parkNanos);
		Optional<ItemQueue> kept = Optional.ofNullable(queue.getIfAvailable()).filter((one) -> context.isEnabled());
		return new QueueLifecycle(
				() -> kept.flatMap((items) -> Optional.ofNullable(handlers.getIfUnique())
					.map((handler) -> QueueThreads.start(items, handler, rules, permits, properties.settings(),
							new Listeners<>("queue listener", listeners.orderedStream().toList()), waiter, permitIds,
							GRACE))));
	}

	@Bean
	@ConditionalOnBean(ItemQueue.class)
	EndpointPart rateLimitStarterQueueEndpointPart(ItemQueue queue, ModuleContext context) {
		return new QueueEndpointPart(queue, context::hash);
	}

	@Bean
	HealthDetails rateLimitStarterQueueHealth(QueueStatusBoard board) {
		return () -> (board.dead() > 0) ? Map.of("deadLetters", board.dead()) : Map.of();
	}

}

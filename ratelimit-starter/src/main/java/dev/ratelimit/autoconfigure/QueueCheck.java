package dev.ratelimit.autoconfigure;

import java.util.Optional;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.live.RulesCheck;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.store.RateLimitStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/**
 * Fails the start if a rule would enqueue requests that nothing stores or handles: they
 * would be refused without a visible reason.
 */
@Lazy
@Configuration(proxyBeanMethods = false)
class QueueCheck {

	private static final String CURE = "or set on-limit to reject or delay";

	@Bean
	RulesCheck rateLimitStarterQueueCheck(ObjectProvider<RateLimitStore> stores, ObjectProvider<ItemQueue> queues,
			ObjectProvider<QueueLifecycle> lifecycle, ObjectProvider<QueuedRequestHandler> handlers,
			RateLimitProperties properties) {
		return (rules) -> require(rules, stores, queues, lifecycle, handlers, properties);
	}

	private static void require(CompiledRules rules, ObjectProvider<RateLimitStore> stores,
			ObjectProvider<ItemQueue> queues, ObjectProvider<QueueLifecycle> lifecycle,
			ObjectProvider<QueuedRequestHandler> handlers, RateLimitProperties properties) {
		Optional<String> rule = rules.enabled()
			.stream()
			.filter((one) -> one.config().onLimit() instanceof OnLimit.Enqueue)
			.map((one) -> one.config().id())
			.findFirst();
		if (rule.isEmpty() || !properties.enabled()) {
			return;
		}
		String reason = "Rule '" + rule.get() + "' has on-limit enqueue, but ";
		if (queues.stream().findAny().isEmpty()) {
			throw new RulesNotEnforceableException(
					reason + stores.getObject().describe() + " cannot keep requests durably",
					"Set ratelimit.store to redis, " + CURE);
		}
		if (lifecycle.stream().findAny().isEmpty()) {
			throw new RulesNotEnforceableException(
					reason + RateLimitQueueAutoConfiguration.class.getName()
							+ " is left out, without which nothing is enqueued or handled",
					"Take it out of spring.autoconfigure.exclude, or import it where auto-configurations are named one by "
							+ "one, " + CURE);
		}
		requireOne(reason, handlers);
	}

	private static void requireOne(String reason, ObjectProvider<QueuedRequestHandler> handlers) {
		long known = handlers.stream().count();
		if (handlers.getIfUnique() == null) {
			throw new RulesNotEnforceableException(
					reason + "there " + ((known == 0) ? "is no bean of type " : "are " + known + " beans of type ")
							+ QueuedRequestHandler.class.getName() + ", one of which handles what is enqueued",
					(known == 0) ? "Declare one, " + CURE : "Keep one of them, or mark one as @Primary");
		}
	}

}

package dev.ratelimit.autoconfigure;

import java.security.SecureRandom;
import java.util.Optional;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.RequestLimiter;
import dev.ratelimit.limiter.Subjects;
import dev.ratelimit.limiter.Waiter;
import dev.ratelimit.limiter.live.RulesFollower;
import dev.ratelimit.limiter.live.RulesInForce;
import dev.ratelimit.queue.Permits;
import dev.ratelimit.queue.QueueBoard;
import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.rule.OnLimit;
import dev.ratelimit.store.PermitIds;
import dev.ratelimit.store.RateLimitStore;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/**
 * {@link org.springframework.boot.autoconfigure.EnableAutoConfiguration
 * Auto-configuration} for the requests that rules keep for later: who handles them.
 */
@AutoConfiguration(after = RateLimitAutoConfiguration.class)
public final class RateLimitQueueAutoConfiguration {

	@Bean
	QueueBoard rateLimitQueueBoard() {
		return new QueueBoard();
	}

	@Bean
	Permits rateLimitQueuePermits(RulesInForce rules, RequestLimiter limiter, Subjects subjects) {
		return new Permits(rules, limiter, subjects);
	}

	@Bean
	QueueLifecycle rateLimitQueueLifecycle(RateLimitStore store, ObjectProvider<QueuedRequestHandler> handlers,
			Permits permits, ObjectProvider<QueueListener> listeners, Waiter waiter, RateLimitProperties properties) {
		return new QueueLifecycle(store.queue().filter((queue) -> properties.enabled()), handlers, permits,
				properties.queue().settings(), listeners, waiter, new PermitIds(new SecureRandom()));
	}

	@Bean
	SmartInitializingSingleton rateLimitQueueCheck(RulesInForce rules, RateLimitStore store,
			ObjectProvider<QueuedRequestHandler> handlers, RateLimitProperties properties) {
		return () -> requireHandled(rules.get(), store, handlers, properties);
	}

	/** Also of rules that come later. */
	@Bean
	RulesFollower rateLimitQueueFollower(RateLimitStore store, ObjectProvider<QueuedRequestHandler> handlers,
			RateLimitProperties properties) {
		return (rules) -> {
			requireHandled(rules, store, handlers, properties);
			return () -> {
			};
		};
	}

	private static void requireHandled(CompiledRules rules, RateLimitStore store,
			ObjectProvider<QueuedRequestHandler> handlers, RateLimitProperties properties) {
		Optional<String> rule = rules.enabled()
			.stream()
			.filter((one) -> one.config().onLimit() instanceof OnLimit.Enqueue)
			.map((one) -> one.config().id())
			.findFirst();
		if (rule.isEmpty() || !properties.enabled()) {
			return;
		}
		if (store.queue().isEmpty()) {
			throw new RulesNotEnforceableException(
					"Rule '" + rule.get() + "' has on-limit enqueue, but " + store.describe()
							+ " cannot keep requests durably",
					"Set ratelimit.store to redis, or on-limit to reject or delay");
		}
		long known = handlers.stream().count();
		if (handlers.getIfUnique() == null) {
			throw new RulesNotEnforceableException(
					"Rule '" + rule.get() + "' has on-limit enqueue, but there "
							+ ((known == 0) ? "is no bean of type " : "are " + known + " beans of type ")
							+ QueuedRequestHandler.class.getName() + ", one of which handles what is kept",
					(known == 0) ? "Declare one, or set on-limit to reject or delay"
							: "Keep one of them, or mark one as @Primary");
		}
	}

}

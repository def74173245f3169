package dev.ratelimit.queue.autoconfigure;

import java.util.function.Consumer;

import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.RateLimitStore;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Fails the start if a rule would enqueue requests that nothing stores or handles: they
 * would be refused without a visible reason.
 *
 * @param beanFactory has what stores and handles them
 */
record QueueCheck(ListableBeanFactory beanFactory) implements Consumer<RLConfig> {

	private static final String CURE = "or set on-limit to reject or delay";

	@Override
	public void accept(RLConfig rule) {
		String reason = "Rule '" + rule.id() + "' has on-limit enqueue, but ";
		requireOneHandler(reason);
		if (!this.beanFactory.containsBean(QueueConfiguration.LIFECYCLE)) {
			throw new RulesNotEnforceableException(
					reason + "the bean of type " + QueuedRequestHandler.class.getName()
							+ " was registered after the limiter had looked for it",
					"Put @AutoConfiguration(before = RateLimitQueueAutoConfiguration.class) on the auto-configuration "
							+ "that registers it, " + CURE);
		}
		if (this.beanFactory.getBeanProvider(ItemQueue.class).stream().findAny().isEmpty()) {
			throw new RulesNotEnforceableException(reason + this.beanFactory.getBean(RateLimitStore.class).describe()
					+ " cannot keep requests durably", "Set ratelimit.store to redis, " + CURE);
		}
	}

	private void requireOneHandler(String reason) {
		int known = this.beanFactory.getBeanNamesForType(QueuedRequestHandler.class).length;
		if (this.beanFactory.getBeanProvider(QueuedRequestHandler.class).getIfUnique() == null) {
			throw new RulesNotEnforceableException(
					reason + "there " + ((known == 0) ? "is no bean of type " : "are " + known + " beans of type ")
							+ QueuedRequestHandler.class.getName() + ", one of which handles what is enqueued",
					(known == 0) ? "Declare one, " + CURE : "Keep one of them, or mark one as @Primary");
		}
	}

}

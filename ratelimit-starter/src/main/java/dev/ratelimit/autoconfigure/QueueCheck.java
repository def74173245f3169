package dev.ratelimit.autoconfigure;

import dev.ratelimit.limiter.CompiledRules;
import dev.ratelimit.limiter.rules.RuleSetValidator;
import dev.ratelimit.queue.Enqueue;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.QueuedRequestHandler;
import dev.ratelimit.spi.RulesNotEnforceableException;
import dev.ratelimit.store.RateLimitStore;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Fails the start if a rule would enqueue requests that nothing stores or handles: they
 * would be refused without a visible reason.
 */
final class QueueCheck implements RuleSetValidator {

	private static final String CURE = "or set on-limit to reject or delay";

	private final ListableBeanFactory beanFactory;

	private final boolean enabled;

	QueueCheck(ListableBeanFactory beanFactory, boolean enabled) {
		this.beanFactory = beanFactory;
		this.enabled = enabled;
	}

	@Override
	public void check(CompiledRules rules) {
		if (this.enabled) {
			rules.enabled()
				.stream()
				.map((rule) -> rule.config())
				.filter((rule) -> rule.enforcement().onLimit() instanceof Enqueue)
				.findFirst()
				.ifPresent((rule) -> requireQueue("Rule '" + rule.id() + "' has on-limit enqueue, but "));
		}
	}

	private void requireQueue(String reason) {
		if (this.beanFactory.getBeanProvider(ItemQueue.class).stream().findAny().isEmpty()) {
			throw new RulesNotEnforceableException(reason + this.beanFactory.getBean(RateLimitStore.class).describe()
					+ " cannot keep requests durably", "Set ratelimit.store to redis, " + CURE);
		}
		requireOne(reason);
		if (!this.beanFactory.containsBean(QueueConfiguration.LIFECYCLE)) {
			throw new RulesNotEnforceableException(
					reason + "the bean of type " + QueuedRequestHandler.class.getName()
							+ " was registered after the limiter had looked for it",
					"Put @AutoConfiguration(before = RateLimitAutoConfiguration.class) on the auto-configuration that "
							+ "registers it, " + CURE);
		}
	}

	private void requireOne(String reason) {
		int known = this.beanFactory.getBeanNamesForType(QueuedRequestHandler.class).length;
		if (this.beanFactory.getBeanProvider(QueuedRequestHandler.class).getIfUnique() == null) {
			throw new RulesNotEnforceableException(
					reason + "there " + ((known == 0) ? "is no bean of type " : "are " + known + " beans of type ")
							+ QueuedRequestHandler.class.getName() + ", one of which handles what is enqueued",
					(known == 0) ? "Declare one, " + CURE : "Keep one of them, or mark one as @Primary");
		}
	}

}

package dev.ratelimit.web.key;

import java.util.function.LongSupplier;

import dev.ratelimit.rule.Cost;
import dev.ratelimit.rule.RLConfig;

/**
 * The cost of a request by one rule.
 */
@FunctionalInterface
public interface CompiledCost {

	/**
	 * Compile the cost of a rule.
	 * @param rule the rule
	 * @param beans finds the bean that it names
	 * @param nanoTime a monotonic clock in nanoseconds
	 * @return the compiled cost
	 * @throws dev.ratelimit.rule.InvalidRuleException if there is no such bean
	 */
	static CompiledCost of(RLConfig rule, RequestBeans beans, LongSupplier nanoTime) {
		if (rule.counting().cost() instanceof Cost.BeanCost bean) {
			CostResolver resolver = beans.find("cost", bean.name(), CostResolver.class);
			QuietWarning belowOne = new QuietWarning(rule.id(),
					"Bean '%s' returned a cost below 1 for rate limit rule '%s'; the request counted as 1. Not counting a request is what 'when' is for."
						.formatted(bean.name(), rule.id()),
					nanoTime);
			QuietWarning tooMuch = new QuietWarning(rule.id(),
					"Bean '%s' returned a cost above %d for rate limit rule '%s', the most that one request may take of a log. A client that is limited is refused, and waiting does not help. Use algorithm sliding-window-counter."
						.formatted(bean.name(), rule.counting().algorithm().maxCost(), rule.id()),
					nanoTime);
			BeanFailures failures = new BeanFailures(rule.id(), "cost", bean.name(), "the request counted as 1", beans,
					nanoTime);
			return (request) -> {
				long permits;
				try {
					permits = resolver.resolve(request);
				}
				catch (Exception ex) {
					failures.failed(ex);
					return 1;
				}
				if (permits < 1) {
					belowOne.warn();
				}
				else if (permits > rule.counting().algorithm().maxCost()) {
					tooMuch.warn();
				}
				return Math.max(1, permits);
			};
		}
		long permits = ((Cost.Fixed) rule.counting().cost()).permits();
		return (request) -> permits;
	}

	/**
	 * Compute the cost of a request.
	 * @param request the facts of the request
	 * @return how many permits, at least 1
	 */
	long of(RequestFacts request);

}

package dev.ratelimit.web.key;

import dev.ratelimit.rule.Cost;

/**
 * What a request costs by one rule.
 */
@FunctionalInterface
public interface CompiledCost {

	/**
	 * Compile the cost of a rule.
	 * @param rule the id of the rule
	 * @param cost what it says
	 * @param beans finds the bean that it names
	 * @return the same, ready
	 */
	static CompiledCost of(String rule, Cost cost, RequestBeans beans) {
		if (cost instanceof Cost.Bean bean) {
			CostResolver resolver = beans.find("cost", bean.name(), CostResolver.class);
			return (request) -> Math.max(1, resolver.resolve(request));
		}
		long permits = ((Cost.Fixed) cost).permits();
		return (request) -> permits;
	}

	/**
	 * What a request costs.
	 * @param request the facts of the request
	 * @return how many permits, at least 1
	 */
	long of(RequestFacts request);

}

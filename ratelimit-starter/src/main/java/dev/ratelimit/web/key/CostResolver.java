package dev.ratelimit.web.key;

/**
 * Works out how much a request costs. A rule names a bean of this type by
 * {@code cost: bean:NAME}.
 */
@FunctionalInterface
public interface CostResolver {

	/**
	 * Work out the cost of a request. Called on the thread of the request, once per rule
	 * that names it, and only where the rule counts the request.
	 * @param request the facts of the request
	 * @return how many permits it costs. Below 1 counts as 1 and is logged. Above a
	 * threshold of the rule the request is refused without a time to wait. If it throws,
	 * the request costs 1.
	 */
	long resolve(RequestFacts request);

}

package dev.ratelimit.web.key;

/**
 * Computes the cost of a request. A rule names a bean of this type by
 * {@code cost: bean:NAME}. Several threads call it at once, so it must be safe for
 * concurrent use, and their requests wait for it.
 */
@FunctionalInterface
public interface CostResolver {

	/**
	 * Compute the cost of a request. Called on the thread of the request, once per rule
	 * that names the bean, and only if the rule counts the request.
	 * @param request the facts of the request
	 * @return how many permits it costs. Less than 1 counts as 1 and is logged. If the
	 * cost exceeds a threshold of the rule, or 100 in a log, the request is refused
	 * without a time to wait. If this method throws, the request costs 1.
	 */
	long resolve(RequestFacts request);

}

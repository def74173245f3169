package dev.ratelimit.web.key;

/**
 * Works out how much a request costs. A rule names a bean of this type by
 * {@code cost: bean:NAME}.
 */
@FunctionalInterface
public interface CostResolver {

	/**
	 * Work out the cost of a request. Called on the thread of the request, once per rule
	 * that names it.
	 * @param request the facts of the request
	 * @return how many permits it costs; below 1 counts as 1, and above a threshold of
	 * the rule the request is refused. What it throws fails the request, uncounted.
	 */
	long resolve(RequestFacts request);

}

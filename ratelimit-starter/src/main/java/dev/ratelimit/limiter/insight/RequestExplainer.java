package dev.ratelimit.limiter.insight;

import java.util.List;

/**
 * Explains which rules apply to a request that is only described.
 */
@FunctionalInterface
public interface RequestExplainer {

	/**
	 * Explain a request. Nothing is decided, and no store is called.
	 * @param request the request
	 * @return one entry per rule, including disabled ones, in the order of the rules
	 */
	List<Explained> explain(DescribedRequest request);

}

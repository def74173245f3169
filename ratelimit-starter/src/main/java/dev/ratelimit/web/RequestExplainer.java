package dev.ratelimit.web;

import java.util.List;
import java.util.Map;

/**
 * Explains which rules apply to a request that is only described, and counts the requests
 * that they match.
 */
public interface RequestExplainer {

	/**
	 * Explain a request. Nothing is decided, and no store is called.
	 * @param request the request
	 * @return one entry per rule, including disabled ones, in the order of the rules
	 */
	List<Explained> explain(DescribedRequest request);

	/**
	 * The requests that rules have matched by their paths, whether or not they were
	 * decided.
	 * @return their number by the id of the rule; of the enabled rules with paths
	 */
	Map<String, Long> matched();

}

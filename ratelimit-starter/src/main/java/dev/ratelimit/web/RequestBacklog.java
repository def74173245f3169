package dev.ratelimit.web;

import java.util.List;

import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.limiter.WaitBudget;

/**
 * The queued requests, as far as they matter to the decision of another request.
 */
@FunctionalInterface
public interface RequestBacklog {

	/**
	 * Find a rule under which others are queued that a request must not overtake.
	 * @param ruleRequests the requests to the rules
	 * @param budget how long the request may still wait
	 * @return the first such rule, or the first one whose queue is unknown and that
	 * refuses while the store does not answer; with another policy a request may overtake
	 * then
	 */
	Backlog behind(List<RuleRequest> ruleRequests, WaitBudget budget);

}

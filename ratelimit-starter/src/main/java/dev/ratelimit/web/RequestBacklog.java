package dev.ratelimit.web;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.RateLimitDecision.Unavailable;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.support.WaitBudget;

/**
 * The queued requests, as far as they matter to the decision of another request.
 */
@FunctionalInterface
public interface RequestBacklog {

	/**
	 * Find a rule under which others are queued that a request must not overtake.
	 * @param ruleRequests the requests to the rules
	 * @param budget how long the request may still wait
	 * @return the refusal by the first such rule, or by the first one whose queue is
	 * unknown and that refuses while the store does not answer; with another policy a
	 * request may overtake then
	 */
	Optional<RuleDecision> refusal(List<RuleRequest> ruleRequests, WaitBudget budget);

	/**
	 * The refusal by a rule while the store does not answer.
	 * @param ruleRequest the request to the rule
	 * @return a refusal
	 */
	static RuleDecision unavailable(RuleRequest ruleRequest) {
		return new RuleDecision(ruleRequest, new Unavailable(ruleRequest.rule().id(), Duration.ofSeconds(1)));
	}

}

package dev.ratelimit.web;

import java.util.List;

import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.web.RouteTable.Match;

/**
 * Rules that are asked together about a request.
 *
 * @param routes the rules
 * @param matches how the request came to match them; perhaps others, too
 * @param ruleRequests what each is asked
 */
public record RuleBatch(List<Route> routes, List<Match> matches, List<RuleRequest> ruleRequests) {

	public boolean isEmpty() {
		return this.ruleRequests.isEmpty();
	}

	/** Whether some of the rules let the request wait for a turn. */
	public boolean mayWait() {
		for (RuleRequest ruleRequest : this.ruleRequests) {
			if (ruleRequest.waits()) {
				return true;
			}
		}
		return false;
	}

	/** Those of them that let it wait, or those that do not. */
	public RuleBatch only(boolean waiting) {
		return new RuleBatch(this.routes, this.matches,
				this.ruleRequests.stream().filter((ruleRequest) -> ruleRequest.waits() == waiting).toList());
	}

}

package dev.ratelimit.web;

import java.util.List;

import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.web.RouteTable.Match;

/**
 * Rules that are evaluated together for a request.
 *
 * @param routes the rules
 * @param matches how the request matched them; may contain other matches, too
 * @param ruleRequests the request to each rule
 */
public record RuleBatch(List<Route> routes, List<Match> matches, List<RuleRequest> ruleRequests) {

	public boolean isEmpty() {
		return this.ruleRequests.isEmpty();
	}

	/** Whether some of the rules may delay the request. */
	public boolean mayWait() {
		for (RuleRequest ruleRequest : this.ruleRequests) {
			if (ruleRequest.waits()) {
				return true;
			}
		}
		return false;
	}

	/** Only the rules that may delay the request, or only those that do not. */
	public RuleBatch only(boolean waiting) {
		return new RuleBatch(this.routes, this.matches,
				this.ruleRequests.stream().filter((ruleRequest) -> ruleRequest.waits() == waiting).toList());
	}

}

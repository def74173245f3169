package dev.ratelimit.web.servlet;

import java.util.List;

import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.web.Route;
import dev.ratelimit.web.RouteTable.Match;

/**
 * A request that is kept if rules have no room for it, once all others have admitted it.
 *
 * @param routes its rules, among others
 * @param matches where they match, in the same way
 * @param counts the rules that may keep it, and whom they count
 * @param path its path within the application
 */
record EnqueueCandidate(List<Route> routes, List<Match> matches, List<Route.Counts> counts, String path) {

	List<RuleRequest> ruleRequests() {
		return this.counts.stream().map(Route.Counts::ruleRequest).toList();
	}

}

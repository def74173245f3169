package dev.ratelimit.web.servlet;

import java.util.List;

import dev.ratelimit.limiter.Application;
import dev.ratelimit.limiter.RuleRequest;
import dev.ratelimit.web.Route;
import dev.ratelimit.web.RouteTable.Match;

/**
 * A request that is enqueued if rules have no permits for it, once all others have
 * admitted it.
 *
 * @param routes its rules, among others
 * @param matches the matches of its rules, among others
 * @param counts the rules that may enqueue it, with the subjects they count
 * @param path its path within the application
 */
record EnqueueCandidate(List<Route> routes, List<Match> matches, List<Application.Counts> counts, String path) {

	List<RuleRequest> ruleRequests() {
		return this.counts.stream().map(Application.Counts::ruleRequest).toList();
	}

}

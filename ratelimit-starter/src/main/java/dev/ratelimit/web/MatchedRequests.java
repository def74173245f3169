package dev.ratelimit.web;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.web.RouteTable.Match;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many requests each rule has matched by its paths. Names once the rules that have
 * matched none of a thousand requests: usually a path is misspelt. From then on, a
 * request costs the read of a number, and a counter per rule that matches it.
 */
public final class MatchedRequests {

	private static final Logger logger = LoggerFactory.getLogger(MatchedRequests.class);

	private static final int ENOUGH = 1000;

	private static final int MOST_NAMED = 10;

	private final Map<String, Route> routes;

	private final AtomicInteger left = new AtomicInteger(ENOUGH);

	private final Set<String> named = ConcurrentHashMap.newKeySet();

	/**
	 * Begin with no requests.
	 * @param routes the rules with paths, by their ids
	 */
	MatchedRequests(Map<String, Route> routes) {
		this.routes = routes;
	}

	/**
	 * Go on with the counts of the rules that were in force before, where their methods
	 * and paths are the same, and name no rule twice.
	 * @param before the requests that those have matched
	 */
	public void follow(MatchedRequests before) {
		this.named.addAll(before.named);
		this.routes.forEach((id, route) -> {
			Route old = before.routes.get(id);
			if (old != null && scope(old).equals(scope(route))) {
				route.countMatches(old.matches());
			}
		});
	}

	private static List<Object> scope(Route route) {
		RLConfig rule = route.rule().config();
		return List.of(rule.methods(), rule.paths());
	}

	/** Count a request, whose path was matched. */
	void count(List<Match> matches) {
		for (Match match : matches) {
			match.route().countMatches(1);
		}
		if (this.left.get() > 0 && this.left.decrementAndGet() == 0) {
			nameUnmatched();
		}
	}

	private void nameUnmatched() {
		List<String> unmatched = this.routes.entrySet()
			.stream()
			.filter((entry) -> entry.getValue().matches() == 0 && this.named.add(entry.getKey()))
			.map((entry) -> entry.getKey() + " " + entry.getValue().rule().config().paths())
			.toList();
		if (!unmatched.isEmpty()) {
			logger.info(
					"{} of the rules with paths matched none of the last {} requests: {}{}. Compare their paths with those of the application; the endpoint explains single requests.",
					unmatched.size(), ENOUGH,
					String.join(", ", unmatched.subList(0, Math.min(MOST_NAMED, unmatched.size()))),
					(unmatched.size() > MOST_NAMED) ? " and others" : "");
		}
	}

	/** The number of requests by the id of the rule; of rules with paths only. */
	Map<String, Long> counts() {
		Map<String, Long> counts = new LinkedHashMap<>();
		this.routes.forEach((id, route) -> counts.put(id, route.matches()));
		return counts;
	}

}

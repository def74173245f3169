package dev.ratelimit.web;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;

import dev.ratelimit.limiter.CompiledRule;
import dev.ratelimit.web.RouteTable.Match;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the requests that each rule matches by its paths. Names once the rules that have
 * matched none of a thousand requests, or of those of an hour: usually a path is
 * misspelt. From then on, a request costs the read of a number, and a counter per rule
 * that matches it.
 */
final class MatchedRequests {

	private static final Logger logger = LoggerFactory.getLogger(MatchedRequests.class);

	private static final int ENOUGH = 1000;

	private static final long LONG_ENOUGH_NANOS = Duration.ofHours(1).toNanos();

	private static final int MOST_NAMED = 10;

	private final List<CompiledRule> rules;

	private final LongSupplier nanoTime;

	private final long start;

	private final AtomicInteger left = new AtomicInteger(ENOUGH);

	/**
	 * Begin with no requests.
	 * @param rules the rules with paths
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	MatchedRequests(List<CompiledRule> rules, LongSupplier nanoTime) {
		this.rules = List.copyOf(rules);
		this.nanoTime = nanoTime;
		this.start = nanoTime.getAsLong();
	}

	/** Count a request, whose path was matched. */
	void count(List<Match> matches) {
		for (Match match : matches) {
			match.route().rule().reach().match();
		}
		if (this.left.get() > 0) {
			boolean isLongEnough = this.nanoTime.getAsLong() - this.start > LONG_ENOUGH_NANOS;
			if (isLongEnough ? this.left.getAndSet(0) > 0 : this.left.decrementAndGet() == 0) {
				nameUnmatched();
			}
		}
	}

	private void nameUnmatched() {
		List<String> unmatched = this.rules.stream()
			.filter((rule) -> rule.reach().nameUnmatched())
			.map((rule) -> rule.id() + " " + rule.config().requests().paths())
			.toList();
		if (!unmatched.isEmpty()) {
			logger.info(
					"{} of the rules with paths matched no request so far: {}{}. Compare their paths with those of the application; the endpoint explains single requests.",
					unmatched.size(), String.join(", ", unmatched.subList(0, Math.min(MOST_NAMED, unmatched.size()))),
					(unmatched.size() > MOST_NAMED) ? " and others" : "");
		}
	}

	/** The number of requests by the id of the rule; of rules with paths only. */
	Map<String, Long> counts() {
		Map<String, Long> counts = new LinkedHashMap<>();
		this.rules.forEach((rule) -> counts.put(rule.id(), rule.reach().matched()));
		return counts;
	}

}

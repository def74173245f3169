package dev.ratelimit.outbound;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;

import org.springframework.http.HttpRequest;

/**
 * Outbound calls that a rule limits.
 *
 * @param rule the id of the rule, which must be able to schedule turns
 * @param hosts the hosts that are called; none for every host
 * @param key the key by which a call is counted; none for a rule that counts all calls as
 * one
 * @param maxWait the longest time a call waits for its turn
 */
record LimitedCalls(String rule, List<HostPattern> hosts, Function<HttpRequest, String[]> key, Duration maxWait) {

	/** Longer than any caller should wait. */
	static final Duration LONGEST_WAIT = Duration.ofDays(1);

	LimitedCalls {
		hosts = List.copyOf(hosts);
		if (maxWait.isNegative() || maxWait.compareTo(LONGEST_WAIT) > 0) {
			throw new IllegalArgumentException("A call waits for its turn from 0s to 1d, not " + maxWait);
		}
	}

	boolean cover(HttpRequest request) {
		if (this.hosts.isEmpty()) {
			return true;
		}
		String host = HostPattern.hostOf(request.getURI());
		return this.hosts.stream().anyMatch((pattern) -> pattern.matches(host));
	}

}

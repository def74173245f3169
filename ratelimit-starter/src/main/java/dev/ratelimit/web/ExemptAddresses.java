package dev.ratelimit.web;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.ratelimit.limiter.IpAddress;
import dev.ratelimit.limiter.IpRange;

/**
 * The clients that are never limited. Tested by {@code RateLimitFilterTests}.
 *
 * @param ranges the ranges of their addresses
 */
record ExemptAddresses(List<IpRange> ranges) {

	ExemptAddresses {
		ranges = List.copyOf(ranges);
	}

	/**
	 * Whether a client is exempt.
	 * @param address finds its address, called only if there are ranges to compare it
	 * with; empty where the address may be that of a proxy
	 * @return whether it is exempt
	 */
	boolean contain(Supplier<Optional<String>> address) {
		if (this.ranges.isEmpty()) {
			return false;
		}
		Optional<IpAddress> client = address.get().flatMap(IpAddress::parse);
		return client.isPresent() && this.ranges.stream().anyMatch((range) -> range.contains(client.get()));
	}

}

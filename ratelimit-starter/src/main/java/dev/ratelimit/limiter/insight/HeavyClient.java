package dev.ratelimit.limiter.insight;

import dev.ratelimit.store.Subject;

/**
 * A client that asks often.
 *
 * @param subject who it is, for a look at its windows; may be an address, so that it is
 * never logged
 * @param requests how often it asked; never too few
 * @param overcountAtMost by how much that may be too many, as not every client has a
 * counter of its own from its first request on
 * @param refused how often it was refused since it has a counter
 */
public record HeavyClient(Subject subject, long requests, long overcountAtMost, long refused) {

	/**
	 * How many requests are surely those of this client.
	 * @return the requests since it has a counter of its own
	 */
	public long surely() {
		return this.requests - this.overcountAtMost;
	}

}

package dev.ratelimit.actuate.insight;

import dev.ratelimit.store.Subject;

/**
 * A client that makes many requests.
 *
 * @param subject the client, for an inspection of its windows; may be an address, so it
 * must never be logged
 * @param requests how many requests it made; never too low
 * @param overcountAtMost by how much that may be too high, because not every client has a
 * counter of its own from its first request
 * @param refused how many of its requests were refused since it has a counter
 */
public record HeavyClient(Subject subject, long requests, long overcountAtMost, long refused) {

	/**
	 * How many requests certainly belong to this client.
	 * @return the requests since it has a counter of its own
	 */
	public long surely() {
		return this.requests - this.overcountAtMost;
	}

}

package dev.ratelimit.actuate.descriptor;

import dev.ratelimit.limiter.insight.HeavyClient;
import org.jspecify.annotations.Nullable;

/**
 * A client that asks often.
 *
 * @param client the hash that the endpoint knows it by
 * @param address its address, where values may be shown and it is counted by that
 * @param requests how often it asked of this instance; never too few
 * @param overcountAtMost by how much that may be too many
 * @param refused how often it was refused, at least
 */
public record HeavyClientDescriptor(String client, @Nullable String address, long requests, long overcountAtMost,
		long refused) {

	/**
	 * Describe a client.
	 * @param client the client
	 * @param hash the hash that the endpoint knows it by
	 * @param address its address; null where it is not to be shown
	 * @return the same
	 */
	public static HeavyClientDescriptor of(HeavyClient client, String hash, @Nullable String address) {
		return new HeavyClientDescriptor(hash, address, client.requests(), client.overcountAtMost(), client.refused());
	}

}

package dev.ratelimit.actuate.descriptor;

import dev.ratelimit.actuate.insight.HeavyClient;
import org.jspecify.annotations.Nullable;

/**
 * A client with many requests.
 *
 * @param client its hash in this endpoint
 * @param address its address, if values may be shown and it is counted by its address
 * @param requests the number of its requests on this instance; never too low
 * @param overcountAtMost the most by which that number may be too high
 * @param refused a lower bound of the number of its refused requests
 */
public record HeavyClientDescriptor(String client, @Nullable String address, long requests, long overcountAtMost,
		long refused) {

	/**
	 * Describe a client.
	 * @param client the client
	 * @param hash its hash in this endpoint
	 * @param address its address; null if it must not be shown
	 * @return the descriptor
	 */
	public static HeavyClientDescriptor of(HeavyClient client, String hash, @Nullable String address) {
		return new HeavyClientDescriptor(hash, address, client.requests(), client.overcountAtMost(), client.refused());
	}

}

package dev.ratelimit.actuate.descriptor;

import java.util.List;

import dev.ratelimit.rule.OnLimit;

/**
 * How requests of a rule are enqueued, with the names of the configuration.
 *
 * @param headers the request headers that are stored
 * @param maxBody the largest body
 * @param maxTotal the largest number of enqueued requests of the rule
 * @param maxBytes the most memory that the requests of the rule may use in the store
 * @param maxAge the longest time a request is kept
 */
public record EnqueueDescriptor(List<String> headers, String maxBody, int maxTotal, String maxBytes, String maxAge) {

	static EnqueueDescriptor of(OnLimit.Enqueue enqueue) {
		return new EnqueueDescriptor(enqueue.headers(), enqueue.maxBodyText(), enqueue.maxTotal(),
				enqueue.maxBytesText(), enqueue.maxAgeText());
	}

}

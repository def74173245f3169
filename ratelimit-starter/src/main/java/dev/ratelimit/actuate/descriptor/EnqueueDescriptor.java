package dev.ratelimit.actuate.descriptor;

import java.util.List;

import dev.ratelimit.rule.OnLimit;

/**
 * How requests of a rule are kept for later, in the words of the configuration.
 *
 * @param headers which of their headers are kept
 * @param maxBody how large their bodies may be
 * @param maxTotal how many of the rule may be kept
 * @param maxBytes how much memory of the store those of the rule may take
 * @param maxAge how long they are kept
 */
public record EnqueueDescriptor(List<String> headers, String maxBody, int maxTotal, String maxBytes, String maxAge) {

	static EnqueueDescriptor of(OnLimit.Enqueue enqueue) {
		return new EnqueueDescriptor(enqueue.headers(), enqueue.maxBodyText(), enqueue.maxTotal(),
				enqueue.maxBytesText(), enqueue.maxAgeText());
	}

}

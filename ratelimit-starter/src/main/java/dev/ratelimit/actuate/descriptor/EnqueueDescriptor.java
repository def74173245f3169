package dev.ratelimit.actuate.descriptor;

import java.util.List;

import dev.ratelimit.rule.OnLimit;

/**
 * How requests of a rule are kept for later, in the words of the configuration.
 *
 * @param headers which of their headers are kept
 * @param maxBody how large their bodies may be
 * @param maxTotal how many of the rule may be kept
 * @param maxAge how long they are kept
 */
public record EnqueueDescriptor(List<String> headers, String maxBody, int maxTotal, String maxAge) {

	static EnqueueDescriptor of(OnLimit.Enqueue enqueue) {
		return new EnqueueDescriptor(enqueue.headers(), enqueue.maxBodyText(), enqueue.maxTotal(),
				enqueue.maxAgeText());
	}

}

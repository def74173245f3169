package dev.ratelimit.limiter;

import java.util.function.Supplier;

import dev.ratelimit.limiter.outage.InstanceShare;
import dev.ratelimit.store.RateLimitStore;

/**
 * Counts on this instance alone while the shared store is unavailable.
 *
 * @param store the store that counts; may be the shared store itself
 * @param share returns the part of each limit that belongs to this instance, at the cost
 * of a volatile read
 */
public record Fallback(RateLimitStore store, Supplier<InstanceShare> share) {

	/**
	 * Create a fallback for an instance that does not share its limits.
	 * @param store the store that counts
	 * @return a fallback with whole limits
	 */
	public static Fallback alone(RateLimitStore store) {
		return new Fallback(store, () -> InstanceShare.WHOLE);
	}

}

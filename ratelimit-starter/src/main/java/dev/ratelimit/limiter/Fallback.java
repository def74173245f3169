package dev.ratelimit.limiter;

import java.util.function.Supplier;

import dev.ratelimit.limiter.outage.InstanceShare;
import dev.ratelimit.store.RateLimitStore;

/**
 * What counts on this instance alone while the shared store cannot answer.
 *
 * @param store counts; may be the shared store itself
 * @param share tells which part of each limit belongs to this instance, at the cost of a
 * volatile read
 */
public record Fallback(RateLimitStore store, Supplier<InstanceShare> share) {

	/**
	 * For an instance that shares its limits with nobody.
	 * @param store counts
	 * @return a fallback with whole limits
	 */
	public static Fallback alone(RateLimitStore store) {
		return new Fallback(store, () -> InstanceShare.WHOLE);
	}

}

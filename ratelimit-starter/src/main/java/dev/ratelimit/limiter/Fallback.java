package dev.ratelimit.limiter;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

import dev.ratelimit.limiter.instances.InstanceShare;
import dev.ratelimit.limiter.source.PermitOwner;
import dev.ratelimit.limiter.source.Settled;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Settlement;

/**
 * Counts on this instance alone while the shared store is unavailable.
 *
 * @param store the store that counts; may be the shared store itself
 * @param share returns the part of each limit that belongs to this instance, at the cost
 * of a volatile read
 */
public record Fallback(RateLimitStore store, Supplier<InstanceShare> share) implements PermitOwner {

	/**
	 * Create a fallback for an instance that does not share its limits.
	 * @param store the store that counts
	 * @return a fallback with whole limits
	 */
	public static Fallback alone(RateLimitStore store) {
		return new Fallback(store, () -> InstanceShare.WHOLE);
	}

	@Override
	public Settled settle(Settlement settlement) {
		return new Settled.Here(this.store.settle(List.of(settlement), Duration.ZERO).await().get(0));
	}

}

package dev.ratelimit.limiter.sync;

import java.util.List;

import dev.ratelimit.limiter.stage.EstimatedWindows;
import dev.ratelimit.limiter.stage.KnownWindows;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;

/**
 * A refusal of the store that is repeated for a while to requests of at least that cost.
 *
 * @param cost the cost of the refused request
 * @param windows the windows that the store returned
 * @param sinceNanos when the store was called
 * @param forNanos how long the refusal holds
 */
record SyncedRefusal(long cost, KnownWindows windows, long sinceNanos, long forNanos) {

	/**
	 * Create a refusal that holds for as long as the store reported that nothing is free,
	 * counted from before the call.
	 * @param limit the limit
	 * @param cost the cost of the refused request
	 * @param usage the state of the windows
	 * @param sinceNanos when the store was called
	 * @param mostNanos the longest time, after which a reset elsewhere must be noticed
	 * @return the refusal
	 */
	static SyncedRefusal of(Limit limit, long cost, List<Usage> usage, long sinceNanos, long mostNanos) {
		return new SyncedRefusal(cost, KnownWindows.refused(limit, List.copyOf(usage)), sinceNanos,
				Math.min(Usage.longestWaitMicros(usage), mostNanos / 1000) * 1000);
	}

	/**
	 * Whether this refusal applies to a request.
	 * @param cost its cost
	 * @param nowNanos the time
	 * @return whether it costs at least as much, and nothing can be free by now
	 */
	boolean holds(long cost, long nowNanos) {
		return cost >= this.cost && nowNanos - this.sinceNanos < this.forNanos;
	}

	EstimatedWindows again(long nowNanos) {
		return new EstimatedWindows(this.windows, 0, (nowNanos - this.sinceNanos) / 1000);
	}

}

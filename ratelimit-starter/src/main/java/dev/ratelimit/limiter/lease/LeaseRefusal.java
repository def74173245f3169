package dev.ratelimit.limiter.lease;

import java.util.List;

import dev.ratelimit.limiter.stage.EstimatedWindows;
import dev.ratelimit.limiter.stage.KnownWindows;
import dev.ratelimit.store.Usage;

/**
 * A refusal of the store that the store would repeat.
 *
 * @param cost how many permits it refused
 * @param windows the windows that the store returned
 * @param waitMicros the longest wait of these windows, from the call of the store on
 * @param requestedNanos when the store was called
 * @param untilNanos until when the store is not called again for that many permits
 */
record LeaseRefusal(long cost, KnownWindows windows, long waitMicros, long requestedNanos, long untilNanos) {

	/**
	 * Create a refusal.
	 * @param cost how many permits were refused
	 * @param usage the state of the windows that the store returned
	 * @param requestedNanos when the store was called
	 * @param terms how long the refusal is cached: until a retry could succeed. It is
	 * cached at least for the hold time, so that permits that become free one by one are
	 * not requested one by one. It is cached at most for a lease time, because other
	 * instances may release permits
	 * @return the refusal
	 */
	static LeaseRefusal of(long cost, List<Usage> usage, long requestedNanos, LeaseTerms terms) {
		long mostMicros = terms.life().plus(terms.hold()).toNanos() / 1000;
		long waitMicros = Usage.longestWaitMicros(usage);
		long nanos = Math.max(terms.hold().toNanos(), Math.min(waitMicros, mostMicros) * 1000);
		return new LeaseRefusal(cost, KnownWindows.refused(terms.limit(), List.copyOf(usage)), waitMicros,
				requestedNanos, requestedNanos + nanos);
	}

	boolean holds(long cost, long nowNanos) {
		return cost >= this.cost && lasts(nowNanos);
	}

	boolean lasts(long nowNanos) {
		return nowNanos - this.untilNanos < 0;
	}

	/**
	 * Repeat the refusal.
	 * @param nowNanos the time
	 * @return the refusal, with its remaining waits
	 */
	EstimatedWindows again(long nowNanos) {
		// Repeated for longer than the wait, the last window still refuses.
		long sinceMicros = Math.min((nowNanos - this.requestedNanos) / 1000, this.waitMicros - 1);
		return new EstimatedWindows(this.windows, 0, sinceMicros);
	}

}

package dev.ratelimit.limiter.lease;

import java.util.List;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Usage;
import dev.ratelimit.support.ComputedList;

/**
 * A refusal of the store that the store would repeat.
 *
 * @param cost how many permits it refused
 * @param usage the state of the windows
 * @param requestedNanos when the store was called
 * @param untilNanos until when the store is not called again for that many permits
 */
record LeaseRefusal(long cost, List<Usage> usage, long requestedNanos, long untilNanos) {

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
		long nanos = Math.max(terms.hold().toNanos(), Math.min(Usage.longestWaitMicros(usage), mostMicros) * 1000);
		return new LeaseRefusal(cost, List.copyOf(usage), requestedNanos, requestedNanos + nanos);
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
	AcquireResult again(long nowNanos) {
		// Repeated for longer than the wait, the last window still refuses.
		long sinceMicros = Math.min((nowNanos - this.requestedNanos) / 1000, Usage.longestWaitMicros(this.usage) - 1);
		return new AcquireResult.Refused(
				new ComputedList<>(this.usage.size(), (window) -> this.usage.get(window).after(sinceMicros)));
	}

}

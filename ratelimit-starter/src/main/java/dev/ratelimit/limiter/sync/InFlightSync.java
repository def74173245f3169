package dev.ratelimit.limiter.sync;

import java.util.List;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.source.InFlight;
import dev.ratelimit.limiter.source.Slot;
import dev.ratelimit.store.AcquireResult;

/**
 * Permits of one counter on their way to the store: either acquired for a request, or
 * reported in the background.
 *
 * @param counter the counter
 * @param reported the permits that the store has to count; empty if permits are acquired
 * @param permits how many
 * @param sentNanos when they were sent
 * @param others how many permits of the counter were in flight at that time
 * @param departed how many had ever been sent by then, including these
 */
record InFlightSync(SyncedCounter counter, List<WindowPermits> reported, long permits, long sentNanos, long others,
		long departed) implements InFlight {

	/** Notifies the counter of the permits that a request has acquired. */
	@Override
	public void landed(Slot slot, AcquireResult result, long nowNanos) {
		this.counter.completeAcquire(this, result, nowNanos);
		slot.answer(result, Source.MEMORY, this.counter, slot.counted());
	}

}

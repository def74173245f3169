package dev.ratelimit.limiter.sync;

import java.util.List;

/**
 * Permits of one counter on their way to the store.
 *
 * @param counter the counter
 * @param reported the permits that the store has to count; empty if permits are acquired
 * @param permits how many
 * @param sentNanos when they were sent
 * @param others how many permits of the counter were in flight at that time
 * @param departed how many had ever been sent by then, including these
 */
record InFlightSync(SyncedCounter counter, List<WindowPermits> reported, long permits, long sentNanos, long others,
		long departed) {
}

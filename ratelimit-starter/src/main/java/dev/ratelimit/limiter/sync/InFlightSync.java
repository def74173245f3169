package dev.ratelimit.limiter.sync;

import java.util.List;

/**
 * Permits of one cell on their way to the store.
 *
 * @param counter the cell
 * @param told what the store is told; empty where it is asked
 * @param permits how many
 * @param sentNanos when they left
 * @param others how many permits of the cell were under way at that time
 * @param departed how many had ever left by then, these included
 */
record InFlightSync(SyncedCounter counter, List<WindowPermits> told, long permits, long sentNanos, long others,
		long departed) {
}

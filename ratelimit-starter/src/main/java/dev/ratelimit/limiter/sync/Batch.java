package dev.ratelimit.limiter.sync;

import java.util.List;

/**
 * Permits that were spent in the same windows.
 *
 * @param permits how many
 * @param windows the windows
 */
record Batch(long permits, Windows windows) {

	static long sum(List<Batch> batches) {
		long permits = 0;
		for (Batch batch : batches) {
			permits += batch.permits();
		}
		return permits;
	}

}

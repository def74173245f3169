package dev.ratelimit.store.memory;

import java.util.List;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;

/**
 * State in windows that are named by a receipt. Not safe for concurrent use.
 */
interface CountingState extends SubjectState {

	/**
	 * Count permits, whether or not there is room.
	 * @param limit the limit
	 * @param permits the number of permits
	 * @param receipts their windows
	 * @param nowMicros the time
	 * @return the usage of the windows afterwards
	 */
	AcquireResult.Admitted count(Limit limit, long permits, List<Long> receipts, long nowMicros);

}

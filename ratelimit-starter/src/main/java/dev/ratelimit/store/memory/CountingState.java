package dev.ratelimit.store.memory;

import java.util.List;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Limit;

/**
 * What is remembered in windows that a receipt names. Not safe for concurrent use.
 */
interface CountingState extends SubjectState {

	/**
	 * Count permits, whether or not there is room.
	 * @param limit the limit
	 * @param permits how many
	 * @param receipts their windows
	 * @param nowMicros the time
	 * @return where the windows stand then
	 */
	AcquireResult.Admitted count(Limit limit, long permits, List<Long> receipts, long nowMicros);

}

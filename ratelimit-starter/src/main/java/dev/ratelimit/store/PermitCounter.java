package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;

/**
 * Counts permits that were admitted without asking. For fixed windows and sliding-window
 * counters, whose windows a receipt names. Safe for concurrent use, never throws, and
 * waits: not for a request to call.
 */
public interface PermitCounter {

	/**
	 * Count permits, whether or not there is room for them: each in the windows that its
	 * receipts name, and no longer where those have passed. Where the clock has stepped
	 * back since, they count as taken now.
	 * @param permits how many, as the cost of a question, and the receipts of an
	 * admission in the same windows
	 * @param maxWait how long to wait in all, more than nothing
	 * @return one answer per entry, in their order: {@link AcquireResult.Admitted} with
	 * what is left now, or {@link AcquireResult.Failed}
	 */
	List<AcquireResult> count(List<AcquiredPermits> permits, Duration maxWait);

}

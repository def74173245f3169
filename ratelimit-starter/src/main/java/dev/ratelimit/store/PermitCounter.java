package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;

/**
 * Counts permits that were admitted without a call to the store. For fixed windows and
 * sliding-window counters, whose windows are named by a receipt. Safe for concurrent use
 * and never throws. Its methods block, so a request must not call them.
 */
public interface PermitCounter {

	/**
	 * Count permits, whether or not there is room for them. Each is counted in the
	 * windows that its receipts name, and not at all where those have passed. Where the
	 * clock has stepped back since, they count as taken now.
	 * @param permits their number as the cost of a request, and the receipts of an
	 * admission in the same windows
	 * @param maxWait how long to wait in total; more than zero
	 * @return one result per entry, in their order: {@link AcquireResult.Admitted} with
	 * what is left now, or {@link AcquireResult.Failed}
	 */
	List<AcquireResult> count(List<AcquiredPermits> permits, Duration maxWait);

}

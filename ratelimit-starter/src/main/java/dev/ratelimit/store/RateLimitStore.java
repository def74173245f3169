package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.support.Pending;

/**
 * Counts permits. A store depends on neither HTTP nor policy and is safe for concurrent
 * use. It never throws: a failure is returned as {@link AcquireResult.Failed}, and only
 * for the request that it concerns. What it returns begins, with its deadline, when the
 * caller awaits or starts it. A store that answers at once, such as one in memory, may
 * count when it is called and return {@link Pending#of}: the limiter calls it when a
 * decision has begun.
 */
public interface RateLimitStore extends AutoCloseable {

	/**
	 * Acquire permits. Each request is decided atomically over all its thresholds, all or
	 * nothing, on the store's own clock. The requests of one call are independent of each
	 * other.
	 * @param requests the requests, at least one
	 * @param maxWait how long it may take in total; more than zero
	 * @return one result per request, in their order
	 */
	Pending<List<AcquireResult>> acquire(List<AcquireRequest> requests, Duration maxWait);

	/**
	 * Settle permits: those that are not kept count as if they had never been taken. A
	 * log identifies its permits by name, so settling twice is idempotent, and settling
	 * what was never taken is no error. A counter releases permits by the receipts that
	 * it is given, and each receipt may be passed only once. Refusals that were counted
	 * stay counted.
	 * @param settlements the permits, and how many of them are kept
	 * @param maxWait how long it may take in total; zero means not to wait at all
	 * @return what became of them, one entry per settlement, in their order
	 */
	Pending<List<SettlementResult>> settle(List<Settlement> settlements, Duration maxWait);

	/**
	 * The failure domain of a request. Requests in one domain fail together, and a
	 * failure there implies nothing about other shards. Costs no call and does not block.
	 * @param request a request
	 * @return a name, which may change for the same request while the store discovers its
	 * topology
	 */
	String shard(AcquireRequest request);

	/**
	 * What this store can do besides acquiring and settling permits. Costs no call.
	 * @return the capabilities, the same for as long as the store lives
	 */
	StoreCapabilities capabilities();

	/**
	 * A name for the start-up line, without credentials.
	 * @return for example {@code memory} or {@code Redis Cluster at 10.0.0.1:6379}
	 */
	String describe();

	@Override
	void close();

}

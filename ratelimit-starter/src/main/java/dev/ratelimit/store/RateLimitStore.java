package dev.ratelimit.store;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Counts permits. A store depends on neither HTTP nor policy and is safe for concurrent
 * use. It never throws: a failure is returned as {@link AcquireResult.Failed}, and only
 * for the request that it concerns.
 */
public interface RateLimitStore extends AutoCloseable {

	/**
	 * Acquire permits. Each request is decided atomically over all its thresholds, all or
	 * nothing, on the store's own clock. The requests of one call are independent of each
	 * other.
	 * @param requests the requests, at least one
	 * @param maxWait how long to wait in total; more than zero
	 * @return one result per request, in their order
	 */
	List<AcquireResult> acquire(List<AcquireRequest> requests, Duration maxWait);

	/**
	 * Release permits as if they had never been taken. A log identifies its permits by
	 * name, so a release is idempotent, and releasing a permit that was never taken is no
	 * error. A counter releases the permits of the receipts that it is given, and each
	 * receipt may be passed only once. Refusals that were counted stay counted.
	 * @param permits the permits
	 * @param maxWait how long to wait in total; zero means not to wait at all
	 * @return what became of them, one entry per permit, in their order
	 */
	List<ReleaseResult> release(List<AcquiredPermits> permits, Duration maxWait);

	/**
	 * The failure domain of a request. Requests in one domain fail together, and a
	 * failure there implies nothing about other shards. Costs no call and does not block.
	 * @param request a request
	 * @return a name, which may change for the same request while the store discovers its
	 * topology
	 */
	String shard(AcquireRequest request);

	/**
	 * The instances that count together in this store.
	 * @return their registry; empty if the store does not support other instances
	 */
	default Optional<InstanceRegistry> instances() {
		return Optional.empty();
	}

	/**
	 * Counts permits that were admitted without a call to the store, in the same windows.
	 * @return the counter; empty if the store has none, in which case every request must
	 * go to the store
	 */
	default Optional<PermitCounter> counter() {
		return Optional.empty();
	}

	/**
	 * Inspects what is counted here.
	 * @return the inspector; empty if the store has none
	 */
	default Optional<Inspector> inspector() {
		return Optional.empty();
	}

	/**
	 * A number that changes when the store has lost its connections. It then differs
	 * between this process and its copies; names must differ between them as well. Costs
	 * no call.
	 * @return the number; constant if no other process counts in the store
	 */
	default long incarnation() {
		return 0;
	}

	/**
	 * The most recent failure, for the log.
	 * @return for example {@code 10.0.0.1:6379: Connection refused}, without credentials
	 * and subjects; empty if there was no failure
	 */
	default Optional<String> lastFailure() {
		return Optional.empty();
	}

	/**
	 * Settings of the store itself that may lose what it counts. Calls the store and
	 * waits for its reply, half a second at most.
	 * @return the concerns, one or two sentences each, including the remedy; empty if the
	 * store did not reply
	 */
	default Optional<List<String>> concerns() {
		return Optional.of(List.of());
	}

	/**
	 * A name for the start-up line, without credentials.
	 * @return for example {@code memory} or {@code Redis Cluster at 10.0.0.1:6379}
	 */
	String describe();

	@Override
	void close();

}

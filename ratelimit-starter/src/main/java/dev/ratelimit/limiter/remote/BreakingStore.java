package dev.ratelimit.limiter.remote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.ReleaseResult;
import dev.ratelimit.store.StoreFailure;

/**
 * Does not call shards whose breaker is open. Their requests fail at once
 * ({@link StoreFailure#CIRCUIT_OPEN}, nothing taken), and the result contains the time
 * until the next probe. The probe is a request like any other, within its own budget;
 * other requests do not wait for it.
 * <p>
 * A call counts once per shard, however many requests it carried there. Calls that were
 * in progress together count once, so that one lost packet is one failure.
 * {@link StoreFailure#ERROR} is not a failure: the shard responded in time, and the error
 * may concern a single key. {@link StoreFailure#OVERLOADED} means that this application
 * is overloaded, not that the shard is down: it neither opens nor closes a breaker. A
 * release passes an open breaker, but no request waits for it and its outcome does not
 * count: the store completes it in the background.
 * <p>
 * While the store responds, a call costs two volatile reads per shard and two small
 * objects, and no lock.
 */
public final class BreakingStore implements RateLimitStore {

	private final RateLimitStore store;

	private final Breakers breakers;

	/**
	 * Create a store with breakers.
	 * @param store the store
	 * @param breakers its breakers, one per shard
	 */
	public BreakingStore(RateLimitStore store, Breakers breakers) {
		this.store = store;
		this.breakers = breakers;
	}

	@Override
	public List<AcquireResult> acquire(List<AcquireRequest> requests, Duration maxWait) {
		BreakerPermit[] permits = permits(requests);
		List<AcquireResult> results = List.of();
		try {
			List<AcquireRequest> passing = passing(requests, permits);
			results = passing.isEmpty() ? results : this.store.acquire(passing, maxWait);
			return (results.size() == requests.size()) ? results : withTheOthers(results, permits);
		}
		finally {
			end(permits, results);
		}
	}

	private BreakerPermit[] permits(List<AcquireRequest> requests) {
		BreakerPermit[] permits = new BreakerPermit[requests.size()];
		for (int i = 0; i < permits.length; i++) {
			permits[i] = permit(this.breakers.of(this.store.shard(requests.get(i))), permits, i);
		}
		return permits;
	}

	private static List<AcquireRequest> passing(List<AcquireRequest> requests, BreakerPermit[] permits) {
		if (areAllFree(permits)) {
			return requests;
		}
		List<AcquireRequest> passing = new ArrayList<>(requests);
		for (int i = requests.size() - 1; i >= 0; i--) {
			if (!permits[i].isFree()) {
				passing.remove(i);
			}
		}
		return passing;
	}

	private static boolean areAllFree(BreakerPermit[] permits) {
		for (BreakerPermit permit : permits) {
			if (!permit.isFree()) {
				return false;
			}
		}
		return true;
	}

	private static BreakerPermit permit(ShardBreaker breaker, BreakerPermit[] others, int count) {
		for (int i = 0; i < count; i++) {
			if (others[i].isThrough(breaker)) {
				return others[i];
			}
		}
		return new BreakerPermit(breaker);
	}

	private static List<AcquireResult> withTheOthers(List<AcquireResult> results, BreakerPermit[] permits) {
		List<AcquireResult> all = new ArrayList<>(permits.length);
		int next = 0;
		for (BreakerPermit permit : permits) {
			all.add(permit.isFree() ? results.get(next++) : permit.openBreakerFailure());
		}
		return all;
	}

	/**
	 * Whatever happened, a breaker that let a call pass has to be notified of the
	 * outcome.
	 */
	private static void end(BreakerPermit[] permits, List<AcquireResult> results) {
		int next = 0;
		for (BreakerPermit permit : permits) {
			if (permit.isFree()) {
				permit.saw((next < results.size()) ? CallOutcome.of(results.get(next)) : CallOutcome.FAILED);
				next++;
			}
		}
		for (BreakerPermit permit : permits) {
			permit.end();
		}
	}

	@Override
	public List<ReleaseResult> release(List<AcquiredPermits> permits, Duration maxWait) {
		List<Boolean> open = permits.stream().map(this::isOpen).toList();
		if (!open.contains(true)) {
			return this.store.release(permits, maxWait);
		}
		Iterator<ReleaseResult> waited = release(permits, open, false, maxWait);
		Iterator<ReleaseResult> unwaited = release(permits, open, true, Duration.ZERO);
		return open.stream().map((isOpen) -> isOpen ? unwaited.next() : waited.next()).toList();
	}

	private Iterator<ReleaseResult> release(List<AcquiredPermits> permits, List<Boolean> open, boolean which,
			Duration maxWait) {
		List<AcquiredPermits> those = new ArrayList<>(permits.size());
		for (int i = 0; i < permits.size(); i++) {
			if (open.get(i) == which) {
				those.add(permits.get(i));
			}
		}
		return (those.isEmpty() ? List.<ReleaseResult>of() : this.store.release(those, maxWait)).iterator();
	}

	private boolean isOpen(AcquiredPermits taken) {
		return this.breakers.of(this.store.shard(taken.request())).isOpen();
	}

	@Override
	public String shard(AcquireRequest request) {
		return this.store.shard(request);
	}

	@Override
	public String describe() {
		return this.store.describe();
	}

	@Override
	public void close() {
		this.store.close();
	}

}

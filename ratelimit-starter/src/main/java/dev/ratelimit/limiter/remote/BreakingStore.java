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
 * Does not call shards whose breaker is open: their questions have failed at once
 * ({@link StoreFailure#CIRCUIT_OPEN}, nothing taken), and say when a call will try again.
 * The one that tries is a request like any other, within its own budget; the others do
 * not wait for it.
 * <p>
 * A call counts once per shard, however many questions it carried there, and calls that
 * were under way together count once, so that one lost packet is one failure.
 * {@link StoreFailure#ERROR} is none: the shard answered in time, and that may be about a
 * single key. {@link StoreFailure#OVERLOADED} says that too much is asked of us, not that
 * the shard is gone: it opens no breaker, but closes none either. What is given back
 * passes an open breaker, but no request waits for it, and what becomes of it counts for
 * nothing: the store sees to it in the background.
 * <p>
 * While all is well a call costs two volatile reads per shard and two small objects, and
 * no lock.
 */
public final class BreakingStore implements RateLimitStore {

	private final RateLimitStore store;

	private final Breakers breakers;

	/**
	 * Put breakers before a store.
	 * @param store the store
	 * @param breakers its breakers, one per shard
	 */
	public BreakingStore(RateLimitStore store, Breakers breakers) {
		this.store = store;
		this.breakers = breakers;
	}

	@Override
	public List<AcquireResult> acquire(List<AcquireRequest> requests, Duration maxWait) {
		Passage[] passages = passages(requests);
		List<AcquireResult> results = List.of();
		try {
			List<AcquireRequest> passing = passing(requests, passages);
			results = passing.isEmpty() ? results : this.store.acquire(passing, maxWait);
			return (results.size() == requests.size()) ? results : withTheOthers(results, passages);
		}
		finally {
			end(passages, results);
		}
	}

	private Passage[] passages(List<AcquireRequest> requests) {
		Passage[] passages = new Passage[requests.size()];
		for (int i = 0; i < passages.length; i++) {
			passages[i] = passage(this.breakers.of(this.store.shard(requests.get(i))), passages, i);
		}
		return passages;
	}

	private static List<AcquireRequest> passing(List<AcquireRequest> requests, Passage[] passages) {
		if (areAllFree(passages)) {
			return requests;
		}
		List<AcquireRequest> passing = new ArrayList<>(requests);
		for (int i = requests.size() - 1; i >= 0; i--) {
			if (!passages[i].isFree()) {
				passing.remove(i);
			}
		}
		return passing;
	}

	private static boolean areAllFree(Passage[] passages) {
		for (Passage passage : passages) {
			if (!passage.isFree()) {
				return false;
			}
		}
		return true;
	}

	private static Passage passage(ShardBreaker breaker, Passage[] others, int count) {
		for (int i = 0; i < count; i++) {
			if (others[i].isThrough(breaker)) {
				return others[i];
			}
		}
		return new Passage(breaker);
	}

	private static List<AcquireResult> withTheOthers(List<AcquireResult> results, Passage[] passages) {
		List<AcquireResult> all = new ArrayList<>(passages.length);
		int next = 0;
		for (Passage passage : passages) {
			all.add(passage.isFree() ? results.get(next++) : passage.closedAnswer());
		}
		return all;
	}

	/** Whatever happened, a breaker that let somebody pass has to hear of it. */
	private static void end(Passage[] passages, List<AcquireResult> results) {
		int next = 0;
		for (Passage passage : passages) {
			if (passage.isFree()) {
				passage.saw((next < results.size()) ? Sign.of(results.get(next)) : Sign.FAILED);
				next++;
			}
		}
		for (Passage passage : passages) {
			passage.end();
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

	private Iterator<ReleaseResult> release(List<AcquiredPermits> permits, List<Boolean> open, boolean which, Duration maxWait) {
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

package dev.ratelimit.limiter.sync;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

import dev.ratelimit.rule.Mode;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.ReleaseResult;
import dev.ratelimit.store.StoreFailure;

/**
 * Decides requests of synced rules on this instance as far as possible. The others are
 * sent to the store in one call: the first request of a subject, and those above what may
 * be admitted without calling the store.
 */
final class SyncedStore implements RateLimitStore {

	private static final AcquireResult NO_ANSWER = new AcquireResult.Failed(StoreFailure.ERROR, Fate.UNKNOWN);

	private final RateLimitStore store;

	private final Synchronizer synchronizer;

	private final LongSupplier nanoTime;

	SyncedStore(RateLimitStore store, Synchronizer synchronizer, LongSupplier nanoTime) {
		this.store = store;
		this.synchronizer = synchronizer;
		this.nanoTime = nanoTime;
	}

	@Override
	public List<AcquireResult> acquire(List<AcquireRequest> requests, Duration maxWait) {
		if (!containsSynced(requests)) {
			return this.store.acquire(requests, maxWait);
		}
		long now = this.nanoTime.getAsLong();
		List<Optional<AcquireResult>> known = new ArrayList<>(requests.size());
		List<AcquireRequest> asked = new ArrayList<>(requests.size());
		List<Optional<InFlightSync>> inFlights = new ArrayList<>(requests.size());
		for (AcquireRequest request : requests) {
			Optional<SyncedCounter> counter = counter(request);
			Optional<AcquireResult> result = counter.flatMap((found) -> found.decide(request.cost(), now));
			known.add(result);
			if (result.isEmpty()) {
				asked.add(request);
				inFlights.add(counter.map((found) -> found.acquire(request.cost(), now)));
			}
		}
		return merge(known, asked.isEmpty() ? List.of() : acquire(asked, inFlights, maxWait));
	}

	private static boolean containsSynced(List<AcquireRequest> requests) {
		for (int i = 0; i < requests.size(); i++) {
			if (requests.get(i).limit().mode() instanceof Mode.Synced) {
				return true;
			}
		}
		return false;
	}

	private Optional<SyncedCounter> counter(AcquireRequest request) {
		return (request.limit().mode() instanceof Mode.Synced synced)
				? Optional.of(this.synchronizer.limit(request.limit(), synced).counter(request.subject()))
				: Optional.empty();
	}

	private List<AcquireResult> acquire(List<AcquireRequest> requests, List<Optional<InFlightSync>> inFlights,
			Duration maxWait) {
		List<AcquireResult> results = Collections.nCopies(requests.size(), NO_ANSWER);
		try {
			results = this.store.acquire(requests, maxWait);
			return results;
		}
		finally {
			land(inFlights, results, this.nanoTime.getAsLong());
		}
	}

	/** Whatever happened, a counter has to be notified of the outcome. */
	private static void land(List<Optional<InFlightSync>> inFlights, List<AcquireResult> results, long nowNanos) {
		for (int i = 0; i < results.size(); i++) {
			AcquireResult result = results.get(i);
			inFlights.get(i).ifPresent((inFlight) -> inFlight.counter().answered(inFlight, result, nowNanos));
		}
	}

	private static List<AcquireResult> merge(List<Optional<AcquireResult>> known, List<AcquireResult> asked) {
		List<AcquireResult> all = new ArrayList<>(known.size());
		int next = 0;
		for (Optional<AcquireResult> result : known) {
			all.add(result.isPresent() ? result.get() : asked.get(next++));
		}
		return all;
	}

	@Override
	public List<ReleaseResult> release(List<AcquiredPermits> permits, Duration maxWait) {
		List<Boolean> local = new ArrayList<>(permits.size());
		List<AcquiredPermits> others = new ArrayList<>(permits.size());
		for (AcquiredPermits taken : permits) {
			long left = counter(taken.request()).map((counter) -> counter.takeBack(taken))
				.orElse(taken.request().cost());
			local.add(left == 0);
			if (left > 0) {
				others.add(taken.of(left));
			}
		}
		List<ReleaseResult> ends = others.isEmpty() ? List.of() : this.store.release(others, maxWait);
		List<ReleaseResult> all = new ArrayList<>(permits.size());
		int next = 0;
		for (boolean here : local) {
			all.add(here ? ReleaseResult.ACKNOWLEDGED : ends.get(next++));
		}
		return all;
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

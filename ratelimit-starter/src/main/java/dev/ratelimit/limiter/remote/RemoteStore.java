package dev.ratelimit.limiter.remote;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

import dev.ratelimit.RateLimitDecision.Source;
import dev.ratelimit.limiter.remote.StoreListener.CallResult;
import dev.ratelimit.limiter.remote.StoreTracer.Operation;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.ReleaseResult;
import dev.ratelimit.store.StoreFailure;

/**
 * Calls the store for requests: behind a circuit breaker per shard, and observed by
 * listeners and a tracer. Background work (synced counters, heartbeats) and operators
 * call the store itself.
 * <p>
 * A shard whose breaker is open is not called. Its requests fail at once
 * ({@link StoreFailure#CIRCUIT_OPEN}, nothing taken), and the result contains the time
 * until the next probe. The probe is a request like any other, within its own budget;
 * other requests do not wait for it. A call counts once per shard, however many requests
 * it carried there. Calls that were in progress together count once, so that one lost
 * packet is one failure. {@link StoreFailure#ERROR} is not a failure: the shard responded
 * in time, and the error may concern a single key. {@link StoreFailure#OVERLOADED} means
 * that this application is overloaded, not that the shard is down: it neither opens nor
 * closes a breaker. A release passes an open breaker, but no request waits for it and its
 * outcome does not count: the store completes it in the background.
 * <p>
 * While the store responds, a call costs two clock reads, two volatile reads per shard
 * and two small objects, and no lock. Safe for concurrent use.
 */
public final class RemoteStore {

	private static final AcquireResult NO_TIME_LEFT = new AcquireResult.Failed(StoreFailure.TIMEOUT, Fate.NOT_TAKEN);

	private final RateLimitStore store;

	private final Source source;

	private final Optional<Breakers> breakers;

	private final StoreWatch watch;

	private final StoreListener listener;

	private final StoreTracer tracer;

	private final LongSupplier nanoTime;

	/**
	 * Create it for a store.
	 * @param store the store
	 * @param source its name in decisions
	 * @param breakers its breakers, one per shard; empty to call it always
	 * @param watch notified whether the store answers requests
	 * @param listener notified of its calls when they have ended
	 * @param tracer notified when they begin and end
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public RemoteStore(RateLimitStore store, Source source, Optional<Breakers> breakers, StoreWatch watch,
			StoreListener listener, StoreTracer tracer, LongSupplier nanoTime) {
		this.store = store;
		this.source = source;
		this.breakers = breakers;
		this.watch = watch;
		this.listener = listener;
		this.tracer = tracer;
		this.nanoTime = nanoTime;
	}

	/**
	 * The name of the store in decisions.
	 * @return the source of its results
	 */
	public Source source() {
		return this.source;
	}

	/**
	 * Acquire permits.
	 * @param requests the requests, at least one
	 * @param maxWait how long to wait in total; if nothing is left, the store is not
	 * called
	 * @return one result per request, in their order
	 */
	public List<AcquireResult> acquire(List<AcquireRequest> requests, Duration maxWait) {
		List<AcquireResult> results = maxWait.isZero() ? Collections.nCopies(requests.size(), NO_TIME_LEFT)
				: this.breakers.isPresent() ? acquireBehind(this.breakers.get(), requests, maxWait)
						: call(requests, maxWait);
		for (int i = 0; i < results.size(); i++) {
			if (results.get(i) instanceof AcquireResult.Failed failed) {
				this.watch.unanswered(failed.failure());
			}
			else {
				this.watch.answered();
			}
		}
		return results;
	}

	private List<AcquireResult> acquireBehind(Breakers breakers, List<AcquireRequest> requests, Duration maxWait) {
		BreakerPermits permits = BreakerPermits.of(requests, (request) -> breakers.of(this.store.shard(request)));
		List<AcquireResult> results = List.of();
		try {
			List<AcquireRequest> passing = permits.passing(requests);
			results = passing.isEmpty() ? results : call(passing, maxWait);
			return permits.withTheOthers(results);
		}
		finally {
			permits.end(results);
		}
	}

	private List<AcquireResult> call(List<AcquireRequest> requests, Duration maxWait) {
		CallResult outcome = CallResult.ERROR;
		StoreTracer.Call call = this.tracer.begin(Operation.ASK);
		long start = this.nanoTime.getAsLong();
		try {
			List<AcquireResult> results = this.store.acquire(requests, maxWait);
			if (results.size() != requests.size()) {
				throw new IllegalStateException("%s returned %d results for %d requests"
					.formatted(this.store.describe(), results.size(), requests.size()));
			}
			outcome = outcomeOf(results);
			return results;
		}
		finally {
			end(call, outcome, start);
		}
	}

	private void end(StoreTracer.Call call, CallResult outcome, long start) {
		long nanos = this.nanoTime.getAsLong() - start;
		call.end(outcome);
		this.listener.called(outcome, nanos);
	}

	private static CallResult outcomeOf(List<AcquireResult> results) {
		CallResult outcome = CallResult.SUCCESS;
		for (int i = 0; i < results.size(); i++) {
			// The application had no time, which is not a failure of the store.
			if (results.get(i) instanceof AcquireResult.Failed failed && failed.failure() != StoreFailure.OVERLOADED) {
				if (failed.failure() == StoreFailure.TIMEOUT) {
					return CallResult.TIMEOUT;
				}
				outcome = CallResult.ERROR;
			}
		}
		return outcome;
	}

	/**
	 * Release permits.
	 * @param permits the permits, at least one
	 * @param maxWait how long to wait in total; zero means not to wait at all
	 * @return what became of them, one entry per permit, in their order
	 */
	public List<ReleaseResult> release(List<AcquiredPermits> permits, Duration maxWait) {
		List<Boolean> open = permits.stream().map(this::isShardOpen).toList();
		if (!open.contains(true)) {
			return callToRelease(permits, maxWait);
		}
		Iterator<ReleaseResult> waited = release(permits, open, false, maxWait);
		Iterator<ReleaseResult> unwaited = release(permits, open, true, Duration.ZERO);
		return open.stream().map((isOpen) -> isOpen ? unwaited.next() : waited.next()).toList();
	}

	private boolean isShardOpen(AcquiredPermits permits) {
		return this.breakers.isPresent() && this.breakers.get().of(this.store.shard(permits.request())).isOpen();
	}

	private Iterator<ReleaseResult> release(List<AcquiredPermits> permits, List<Boolean> open, boolean which,
			Duration maxWait) {
		List<AcquiredPermits> those = new ArrayList<>(permits.size());
		for (int i = 0; i < permits.size(); i++) {
			if (open.get(i) == which) {
				those.add(permits.get(i));
			}
		}
		return (those.isEmpty() ? List.<ReleaseResult>of() : callToRelease(those, maxWait)).iterator();
	}

	private List<ReleaseResult> callToRelease(List<AcquiredPermits> permits, Duration maxWait) {
		CallResult outcome = CallResult.ERROR;
		StoreTracer.Call call = this.tracer.begin(Operation.GIVE_BACK);
		long start = this.nanoTime.getAsLong();
		try {
			List<ReleaseResult> results = this.store.release(permits, maxWait);
			outcome = results.contains(ReleaseResult.AWAITED) ? CallResult.TIMEOUT
					: results.contains(ReleaseResult.LOST) ? CallResult.ERROR : CallResult.SUCCESS;
			return results;
		}
		finally {
			end(call, outcome, start);
		}
	}

}

package dev.ratelimit.limiter.remote;

import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

import dev.ratelimit.limiter.remote.StoreListener.CallResult;
import dev.ratelimit.limiter.remote.StoreTracer.Operation;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.ReleaseResult;
import dev.ratelimit.store.StoreFailure;

/**
 * Notifies a listener and a tracer of every call of a store. Costs two clock reads per
 * call.
 */
public final class WatchedStore implements RateLimitStore {

	private final RateLimitStore store;

	private final StoreListener listener;

	private final StoreTracer tracer;

	private final LongSupplier nanoTime;

	/**
	 * Create a watched store.
	 * @param store the store
	 * @param listener notified of its calls when they have ended
	 * @param tracer notified when they begin and end
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	public WatchedStore(RateLimitStore store, StoreListener listener, StoreTracer tracer, LongSupplier nanoTime) {
		this.store = store;
		this.listener = listener;
		this.tracer = tracer;
		this.nanoTime = nanoTime;
	}

	@Override
	public List<AcquireResult> acquire(List<AcquireRequest> requests, Duration maxWait) {
		CallResult outcome = CallResult.ERROR;
		StoreTracer.Call call = this.tracer.begin(Operation.ASK);
		long start = this.nanoTime.getAsLong();
		try {
			List<AcquireResult> results = this.store.acquire(requests, maxWait);
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

	@Override
	public List<ReleaseResult> release(List<AcquiredPermits> permits, Duration maxWait) {
		CallResult outcome = CallResult.ERROR;
		StoreTracer.Call call = this.tracer.begin(Operation.GIVE_BACK);
		long start = this.nanoTime.getAsLong();
		try {
			List<ReleaseResult> ends = this.store.release(permits, maxWait);
			outcome = ends.contains(ReleaseResult.AWAITED) ? CallResult.TIMEOUT
					: ends.contains(ReleaseResult.LOST) ? CallResult.ERROR : CallResult.SUCCESS;
			return ends;
		}
		finally {
			end(call, outcome, start);
		}
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

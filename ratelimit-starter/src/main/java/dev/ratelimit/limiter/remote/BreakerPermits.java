package dev.ratelimit.limiter.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;

/**
 * The permits of one call to pass the breakers of its shards: one per shard, however many
 * requests are sent there. Used by one thread at a time. Tested by
 * {@code RemoteStoreBreakerTests}.
 */
final class BreakerPermits {

	/** One entry per request; requests of the same shard have the same permit. */
	private final BreakerPermit[] permits;

	private BreakerPermits(BreakerPermit[] permits) {
		this.permits = permits;
	}

	static BreakerPermits of(List<AcquireRequest> requests, Function<AcquireRequest, ShardBreaker> breakers) {
		BreakerPermit[] permits = new BreakerPermit[requests.size()];
		for (int i = 0; i < permits.length; i++) {
			permits[i] = permit(breakers.apply(requests.get(i)), permits, i);
		}
		return new BreakerPermits(permits);
	}

	private static BreakerPermit permit(ShardBreaker breaker, BreakerPermit[] others, int count) {
		for (int i = 0; i < count; i++) {
			if (others[i].isOf(breaker)) {
				return others[i];
			}
		}
		return new BreakerPermit(breaker);
	}

	/** The requests of the shards that may be called. */
	List<AcquireRequest> passing(List<AcquireRequest> requests) {
		if (areAllGranted()) {
			return requests;
		}
		List<AcquireRequest> passing = new ArrayList<>(this.permits.length);
		for (int i = 0; i < this.permits.length; i++) {
			if (this.permits[i].isGranted()) {
				passing.add(requests.get(i));
			}
		}
		return passing;
	}

	private boolean areAllGranted() {
		for (BreakerPermit permit : this.permits) {
			if (!permit.isGranted()) {
				return false;
			}
		}
		return true;
	}

	/**
	 * The results of all requests.
	 * @param passed the results of those that passed
	 */
	List<AcquireResult> withTheOthers(List<AcquireResult> passed) {
		if (passed.size() == this.permits.length) {
			return passed;
		}
		List<AcquireResult> all = new ArrayList<>(this.permits.length);
		int next = 0;
		for (BreakerPermit permit : this.permits) {
			all.add(permit.isGranted() ? passed.get(next++) : permit.openBreakerFailure());
		}
		return all;
	}

	/**
	 * Report the outcome to the breakers, once. A breaker that let a call pass has to be
	 * notified whatever happened.
	 * @param passed the results of the requests that passed; fewer if the call failed
	 */
	void end(List<AcquireResult> passed) {
		int next = 0;
		for (BreakerPermit permit : this.permits) {
			if (permit.isGranted()) {
				permit.record((next < passed.size()) ? CallOutcome.of(passed.get(next)) : CallOutcome.FAILED);
				next++;
			}
		}
		for (BreakerPermit permit : this.permits) {
			permit.end();
		}
	}

}

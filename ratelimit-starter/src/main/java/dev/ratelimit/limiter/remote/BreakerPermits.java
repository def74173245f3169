package dev.ratelimit.limiter.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * The permits of one call to pass the breakers of its shards: one per shard, however many
 * requests are sent there. Used by one thread at a time. Tested by
 * {@code RemoteStoreBreakerTests}.
 */
final class BreakerPermits {

	/** For a call without breakers. */
	static final BreakerPermits ALL = new BreakerPermits(0);

	/** The breaker of each request. */
	private final ShardBreaker[] breakers;

	/**
	 * The state of the shard of each request when the call began; {@code null} if the
	 * shard must not be called.
	 */
	private final @Nullable ShardState[] seen;

	private BreakerPermits(int requests) {
		this.breakers = new ShardBreaker[requests];
		this.seen = new @Nullable ShardState[requests];
	}

	static BreakerPermits of(List<AcquireRequest> requests, Function<AcquireRequest, ShardBreaker> breakers) {
		BreakerPermits permits = new BreakerPermits(requests.size());
		for (int i = 0; i < permits.breakers.length; i++) {
			permits.breakers[i] = breakers.apply(requests.get(i));
			int first = permits.firstOfShard(i);
			permits.seen[i] = (first < i) ? permits.seen[first] : permits.breakers[i].tryPass();
		}
		return permits;
	}

	private int firstOfShard(int request) {
		int first = 0;
		while (this.breakers[first] != this.breakers[request]) {
			first++;
		}
		return first;
	}

	/** The requests of the shards that may be called. */
	<Q> List<Q> passing(List<Q> requests) {
		if (areAllGranted()) {
			return requests;
		}
		List<Q> passing = new ArrayList<>(this.seen.length);
		for (int i = 0; i < this.seen.length; i++) {
			if (this.seen[i] != null) {
				passing.add(requests.get(i));
			}
		}
		return passing;
	}

	private boolean areAllGranted() {
		for (ShardState state : this.seen) {
			if (state == null) {
				return false;
			}
		}
		return true;
	}

	/**
	 * Report the outcome to the breakers. A breaker that let a call pass has to be
	 * notified whatever happened.
	 * @param passed the results of the requests that passed
	 * @return the results of all requests
	 */
	List<AcquireResult> end(List<AcquireResult> passed) {
		List<AcquireResult> all = withTheOthers(passed);
		for (int i = 0; i < this.seen.length; i++) {
			ShardState before = this.seen[i];
			if (before != null && firstOfShard(i) == i) {
				end(i, before, all);
			}
		}
		return all;
	}

	private List<AcquireResult> withTheOthers(List<AcquireResult> passed) {
		if (areAllGranted()) {
			return passed;
		}
		List<AcquireResult> all = new ArrayList<>(this.seen.length);
		int next = 0;
		for (int i = 0; i < this.seen.length; i++) {
			all.add((this.seen[i] != null) ? passed.get(next++) : new AcquireResult.Failed(StoreFailure.CIRCUIT_OPEN,
					Fate.NOT_TAKEN, this.breakers[i].untilProbe()));
		}
		return all;
	}

	/** The worst result of a shard counts. */
	private void end(int first, ShardState before, List<AcquireResult> results) {
		ShardBreaker breaker = this.breakers[first];
		boolean called = true;
		for (int i = first; i < this.breakers.length; i++) {
			if (this.breakers[i] == breaker && results.get(i) instanceof AcquireResult.Failed failed) {
				if (failed.failure().isSilence()) {
					breaker.failed(before);
					return;
				}
				called &= failed.failure() != StoreFailure.OVERLOADED;
			}
		}
		if (called) {
			breaker.succeeded();
		}
		else {
			breaker.notCalled(before);
		}
	}

}

package dev.ratelimit.limiter.remote;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * The permit of one call to pass the breaker of one shard. Used by one thread at a time.
 * Tested by {@code RemoteStoreBreakerTests}.
 */
final class BreakerPermit {

	private final ShardBreaker breaker;

	private final @Nullable ShardState seen;

	private CallOutcome outcome = CallOutcome.ALIVE;

	private boolean ended;

	BreakerPermit(ShardBreaker breaker) {
		this.breaker = breaker;
		this.seen = breaker.tryPass();
	}

	boolean isOf(ShardBreaker breaker) {
		return this.breaker == breaker;
	}

	boolean isGranted() {
		return this.seen != null;
	}

	AcquireResult openBreakerFailure() {
		return new AcquireResult.Failed(StoreFailure.CIRCUIT_OPEN, Fate.NOT_TAKEN, this.breaker.untilProbe());
	}

	/** The worst outcome counts. */
	void record(CallOutcome outcome) {
		this.outcome = (outcome.compareTo(this.outcome) > 0) ? outcome : this.outcome;
	}

	/** Report the outcome to the breaker, once. */
	void end() {
		ShardState before = this.seen;
		if (this.ended || before == null) {
			return;
		}
		this.ended = true;
		switch (this.outcome) {
			case ALIVE -> this.breaker.succeeded();
			case NONE -> this.breaker.notCalled(before);
			case FAILED -> this.breaker.failed(before);
		}
	}

}

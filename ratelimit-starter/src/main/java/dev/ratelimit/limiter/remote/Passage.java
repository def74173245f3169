package dev.ratelimit.limiter.remote;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquireResult.Fate;
import dev.ratelimit.store.StoreFailure;
import org.jspecify.annotations.Nullable;

/**
 * One call's way through the breaker of one shard. Used by one thread.
 */
final class Passage {

	private final ShardBreaker breaker;

	private final @Nullable ShardState seen;

	private Sign sign = Sign.ALIVE;

	private boolean ended;

	Passage(ShardBreaker breaker) {
		this.breaker = breaker;
		this.seen = breaker.tryPass();
	}

	boolean isThrough(ShardBreaker breaker) {
		return this.breaker == breaker;
	}

	boolean isFree() {
		return this.seen != null;
	}

	AcquireResult closedAnswer() {
		return new AcquireResult.Failed(StoreFailure.CIRCUIT_OPEN, Fate.NOT_TAKEN, this.breaker.untilProbe());
	}

	/** The worst sign is the one that counts. */
	void saw(Sign sign) {
		this.sign = (sign.compareTo(this.sign) > 0) ? sign : this.sign;
	}

	/** Tell the breaker, once. */
	void end() {
		ShardState before = this.seen;
		if (this.ended || before == null) {
			return;
		}
		this.ended = true;
		switch (this.sign) {
			case ALIVE -> this.breaker.succeeded();
			case NONE -> this.breaker.notCalled(before);
			case FAILED -> this.breaker.failed(before);
		}
	}

}

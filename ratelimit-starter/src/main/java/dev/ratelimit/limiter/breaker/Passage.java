package dev.ratelimit.limiter.breaker;

import dev.ratelimit.store.Answer;
import dev.ratelimit.store.Answer.Fate;
import dev.ratelimit.store.StoreFailure;

/**
 * One call's way through the breaker of one shard. Used by one thread.
 */
final class Passage {

	private final ShardBreaker breaker;

	private final boolean free;

	private boolean failed;

	private boolean ended;

	Passage(ShardBreaker breaker) {
		this.breaker = breaker;
		this.free = breaker.tryPass();
	}

	boolean isThrough(ShardBreaker breaker) {
		return this.breaker == breaker;
	}

	boolean isFree() {
		return this.free;
	}

	Answer closedAnswer() {
		return new Answer.Failed(StoreFailure.CIRCUIT_OPEN, Fate.NOT_TAKEN, this.breaker.untilProbe());
	}

	void saw(boolean signOfLife) {
		this.failed |= !signOfLife;
	}

	/** Tell the breaker, once. */
	void end() {
		if (this.ended || !this.free) {
			return;
		}
		this.ended = true;
		if (this.failed) {
			this.breaker.failed();
		}
		else {
			this.breaker.succeeded();
		}
	}

}

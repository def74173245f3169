package dev.ratelimit.limiter.remote;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import dev.ratelimit.store.StoreFailure;

/**
 * One outage, from the first unanswered request. Safe for concurrent use. Tested by
 * {@code StoreWatchTests}.
 */
final class StoreOutage {

	/** One dead node among healthy ones produces failures and replies in turn. */
	private static final long OVER_NANOS = Duration.ofSeconds(10).toNanos();

	/**
	 * By then a limiter that is still refused has been refused again, if there are any
	 * requests.
	 */
	private static final long LATELY_NANOS = Duration.ofMinutes(1).toNanos();

	private final long beganNanos;

	private final LongAdder unanswered = new LongAdder();

	private final AtomicLong failedNanos;

	private final AtomicLong answeredNanos;

	private final AtomicBoolean refused = new AtomicBoolean();

	private final AtomicLong refusedNanos;

	private volatile StoreFailure reason;

	StoreOutage(StoreFailure reason, long nowNanos) {
		this.beganNanos = nowNanos;
		this.failedNanos = new AtomicLong(nowNanos);
		this.answeredNanos = new AtomicLong(nowNanos);
		this.refusedNanos = new AtomicLong(nowNanos);
		this.reason = reason;
	}

	void failed(StoreFailure failure, long nowNanos) {
		this.unanswered.increment();
		// Requests may arrive here in another order than they read the clock.
		this.failedNanos.accumulateAndGet(nowNanos, StoreOutage::later);
		if (failure == StoreFailure.NOT_PERMITTED) {
			this.refusedNanos.accumulateAndGet(nowNanos, StoreOutage::later);
			this.refused.set(true);
		}
		// An open circuit is not a reason, but the result of one.
		if (failure != StoreFailure.CIRCUIT_OPEN) {
			this.reason = failure;
		}
	}

	private static long later(long oneNanos, long otherNanos) {
		return (oneNanos - otherNanos > 0) ? oneNanos : otherNanos;
	}

	void answered(long nowNanos) {
		this.answeredNanos.set(nowNanos);
	}

	boolean isOver(long nowNanos) {
		long failed = this.failedNanos.get();
		return this.answeredNanos.get() - failed > 0 && nowNanos - failed >= OVER_NANOS;
	}

	StoreFailures failures(long nowNanos) {
		long failed = this.failedNanos.get();
		boolean refusedLately = this.refused.get() && nowNanos - this.refusedNanos.get() < LATELY_NANOS;
		return new StoreFailures(this.reason, refusedLately, this.unanswered.sum(),
				Duration.ofNanos(failed - this.beganNanos));
	}

}

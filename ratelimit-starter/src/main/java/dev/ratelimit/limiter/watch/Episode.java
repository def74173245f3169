package dev.ratelimit.limiter.watch;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import dev.ratelimit.store.StoreFailure;

/**
 * One time of trouble, from the first question without an answer. Safe for concurrent
 * use.
 */
final class Episode {

	/** One dead node among healthy ones fails and answers in turns. */
	private static final long OVER_NANOS = Duration.ofSeconds(10).toNanos();

	/** Meanwhile every shard has been asked again. */
	private static final long LATELY_NANOS = Duration.ofMinutes(1).toNanos();

	private final long beganNanos;

	private final LongAdder unanswered = new LongAdder();

	private final AtomicLong failedNanos;

	private final AtomicLong answeredNanos;

	private final AtomicLong notPermittedNanos;

	private volatile StoreFailure reason;

	Episode(StoreFailure reason, long nowNanos) {
		this.beganNanos = nowNanos;
		this.failedNanos = new AtomicLong(nowNanos);
		this.answeredNanos = new AtomicLong(nowNanos);
		this.notPermittedNanos = new AtomicLong(nowNanos - LATELY_NANOS);
		this.reason = reason;
	}

	void failed(StoreFailure failure, long nowNanos) {
		this.unanswered.increment();
		this.failedNanos.set(nowNanos);
		if (failure == StoreFailure.NOT_PERMITTED) {
			this.notPermittedNanos.set(nowNanos);
		}
		// That is no reason, but what follows from one.
		if (failure != StoreFailure.CIRCUIT_OPEN) {
			this.reason = failure;
		}
	}

	void answered(long nowNanos) {
		this.answeredNanos.set(nowNanos);
	}

	boolean isOver(long nowNanos) {
		long failed = this.failedNanos.get();
		return this.answeredNanos.get() - failed > 0 && nowNanos - failed >= OVER_NANOS;
	}

	Trouble trouble() {
		long failed = this.failedNanos.get();
		return new Trouble(this.reason, failed - this.notPermittedNanos.get() < LATELY_NANOS, this.unanswered.sum(),
				Duration.ofNanos(failed - this.beganNanos));
	}

}

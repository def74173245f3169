package dev.ratelimit.limiter.breaker;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreaker.State;

/**
 * The circuit breaker of one shard. While all is well a call costs three volatile reads:
 * a success is recorded only where a failure is still remembered that it could push out.
 */
final class ShardBreaker {

	private final CircuitBreaker breaker;

	private final long openNanos;

	private final LongSupplier nanoTime;

	private final AtomicBoolean remembersFailures = new AtomicBoolean();

	private final AtomicLong probeNanos = new AtomicLong();

	ShardBreaker(CircuitBreaker breaker, Duration open, LongSupplier nanoTime) {
		this.breaker = breaker;
		this.openNanos = open.toNanos();
		this.nanoTime = nanoTime;
	}

	/**
	 * Ask to call the shard. Who may must say what came of it.
	 * @return whether the call may be made
	 */
	boolean tryPass() {
		return this.breaker.tryAcquirePermission();
	}

	void succeeded() {
		if (this.remembersFailures.get() || isOpen()) {
			this.breaker.onSuccess(0, TimeUnit.NANOSECONDS);
			if (this.breaker.getMetrics().getNumberOfFailedCalls() == 0) {
				this.remembersFailures.set(false);
			}
		}
	}

	/**
	 * Nothing was learnt; one that tried whether an open breaker may close found no way
	 * to do so.
	 */
	void notCalled() {
		if (isOpen()) {
			failed();
		}
		else {
			this.breaker.releasePermission();
		}
	}

	void failed() {
		this.remembersFailures.set(true);
		boolean wasOpen = this.breaker.getState() == State.OPEN;
		this.breaker.onError(0, TimeUnit.NANOSECONDS, new Failure());
		if (!wasOpen && this.breaker.getState() == State.OPEN) {
			this.probeNanos.set(this.nanoTime.getAsLong() + this.openNanos);
		}
	}

	/** Also while the one that tries is under way. */
	boolean isOpen() {
		return this.breaker.getState() != State.CLOSED;
	}

	/**
	 * For how long the shard is not called.
	 * @return the time until one call may try again; zero while one does
	 */
	Duration untilProbe() {
		return Duration.ofNanos(Math.max(0, this.probeNanos.get() - this.nanoTime.getAsLong()));
	}

	/** Whether nobody has wanted to try again, though it was time. */
	boolean isOpenInVain(Duration since) {
		return isOpen() && this.nanoTime.getAsLong() - this.probeNanos.get() >= since.toNanos();
	}

	/** What the library takes for a failure; without a stack, as nobody looks at it. */
	private static final class Failure extends RuntimeException {

		private static final long serialVersionUID = 1L;

		Failure() {
			super("The store did not answer", null, false, false);
		}

	}

}

package dev.ratelimit.limiter.health;

import java.time.Duration;

import dev.ratelimit.store.StoreFailure;

/**
 * An outage of the store, from the first unanswered request to the last. Tested by
 * {@code StoreWatchTests}.
 *
 * @param reason why the store did not respond to its last failed call
 * @param notPermitted whether a part of the store has recently refused the credentials or
 * rights of the limiter, which does not resolve by itself
 * @param unanswered how many requests were unanswered
 * @param beganNanos when the first of them failed, on the monotonic clock
 * @param failedNanos when the last of them failed
 * @param refusedNanos when the limiter was refused, if it was
 */
public record StoreOutage(StoreFailure reason, boolean notPermitted, long unanswered, long beganNanos, long failedNanos,
		long refusedNanos) {

	/**
	 * By then a limiter that is still refused has been refused again, if there are any
	 * requests.
	 */
	private static final long LATELY_NANOS = Duration.ofMinutes(1).toNanos();

	static StoreOutage begin(StoreFailure reason, long nowNanos) {
		return new StoreOutage(reason, false, 0, nowNanos, nowNanos, nowNanos);
	}

	/** Requests may arrive here in another order than they read the clock. */
	StoreOutage failed(StoreFailure failure, long nowNanos) {
		boolean refused = failure == StoreFailure.NOT_PERMITTED;
		// An open circuit is not a reason, but the result of one.
		return new StoreOutage((failure != StoreFailure.CIRCUIT_OPEN) ? failure : this.reason,
				this.notPermitted || refused, this.unanswered + 1, this.beganNanos, later(this.failedNanos, nowNanos),
				refused ? later(this.refusedNanos, nowNanos) : this.refusedNanos);
	}

	private static long later(long oneNanos, long otherNanos) {
		return (oneNanos - otherNanos > 0) ? oneNanos : otherNanos;
	}

	/** The same outage, without a refusal that is long ago. */
	StoreOutage asOf(long nowNanos) {
		return (this.notPermitted && nowNanos - this.refusedNanos >= LATELY_NANOS) ? new StoreOutage(this.reason, false,
				this.unanswered, this.beganNanos, this.failedNanos, this.refusedNanos) : this;
	}

	/**
	 * How long the outage has lasted.
	 * @return the time from its first unanswered request to the last
	 */
	public Duration lasting() {
		return Duration.ofNanos(this.failedNanos - this.beganNanos);
	}

}

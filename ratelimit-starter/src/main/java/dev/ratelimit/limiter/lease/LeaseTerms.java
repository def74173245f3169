package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;

/**
 * How permits of one limit are leased. Three quarters of the lease time are for spending,
 * and one quarter is for repeating a refusal. So a permit that is needed is in use again
 * one window and one lease time after it was granted.
 * <p>
 * <b>Why no window ever holds more than its threshold.</b> In a log, a permit is spent at
 * most one life after its grant, and counts for one window from then on. So the store is
 * given windows that are longer by one life. Consider any window, and among the leases
 * spent in it the one that was granted last: at that grant all the others still counted.
 * In a log all plans of a rule have the same life, since a client may change between
 * them. Counters only know the time of their window, so a lease of a counter ends with
 * the window in which it was granted.
 *
 * @param limit the limit of the rule
 * @param counted the limit by which the store counts
 * @param life how long a lease may be spent
 * @param hold how long a refusal is repeated at least
 * @param size how many permits are reserved at a time; empty if the demand determines it
 */
record LeaseTerms(Limit limit, Limit counted, Duration life, Duration hold, Optional<Long> size) {

	/**
	 * The last part of a lease, of its life and of its permits, in which it is renewed
	 * ahead. A lease with fewer than eight permits is not: near the limit a permit is
	 * left to the instance that needs it.
	 */
	private static final int LAST_PART = 8;

	static LeaseTerms of(Limit limit, Mode.Leased mode) {
		long millis = mode.time(isLog(limit) ? limit.thresholdsOfAllPlans() : limit.thresholds()).toMillis();
		Duration life = Duration.ofMillis(Math.max(1, millis - millis / 4));
		return new LeaseTerms(limit, isLog(limit) ? limit.lengthenedBy(life) : limit, life,
				Duration.ofMillis(millis / 4), mode.size());
	}

	/**
	 * How many entries of a log the store writes, which takes its time.
	 * @param permits how many are acquired
	 * @return one for each in a log
	 */
	long entries(long permits) {
		return isLog(this.counted) ? permits : 0;
	}

	private static boolean isLog(Limit limit) {
		return limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG;
	}

	/**
	 * How long permits may be spent that the store has just granted.
	 * @param usage the state of each window that the store returned
	 * @return the time since the call, in nanoseconds, shortened by the part by which the
	 * store's clock may run faster than this one
	 */
	long lifeNanos(List<Usage> usage) {
		long micros = this.life.toNanos() / 1000;
		for (int i = 0; i < usage.size(); i++) {
			micros = Math.min(micros, leftMicros(i, usage.get(i)));
		}
		return (micros - micros / 1000 - 1) * 1000;
	}

	/**
	 * When to renew a lease ahead.
	 * @param lifeNanos how long it may be spent
	 * @return the time since the call. All of its life if it ends with a window, as the
	 * next one would, too
	 */
	long renewNanos(long lifeNanos) {
		return (lifeNanos == lifeNanos(List.of())) ? lifeNanos - lifeNanos / LAST_PART : lifeNanos;
	}

	/**
	 * When to renew a lease ahead that is spent before its end.
	 * @param permits how many it has
	 * @return with how many of them left; negative if never
	 */
	long renewLeft(long permits) {
		return (permits >= LAST_PART) ? permits / LAST_PART : -1;
	}

	/**
	 * The time until the current window of a counter ends, given that something is used
	 * in it.
	 */
	private long leftMicros(int index, Usage usage) {
		return switch (this.counted.algorithm()) {
			case FIXED_WINDOW -> usage.resetMicros();
			case SLIDING_WINDOW_COUNTER -> usage.resetMicros() - this.counted.windowMicros(index);
			case SLIDING_WINDOW_LOG, TOKEN_BUCKET, LEAKY_BUCKET -> Long.MAX_VALUE;
		};
	}

	/**
	 * How many permits to acquire.
	 * @param last the previous lease
	 * @param spent how many were spent since that was requested
	 * @param cost how many are needed at once
	 * @param nowNanos the time
	 * @return as many as are spent in the life of a lease at that rate, but at most twice
	 * the size of the last one, and no fewer than that if it was requested just now
	 */
	long wanted(Lease last, long spent, long cost, long nowNanos) {
		long wanted = this.size.orElseGet(() -> {
			double lives = (double) Math.max(1, nowNanos - last.requestedNanos()) / this.life.toNanos();
			long demand = Math.min(2 * last.permits(), (long) Math.ceil(spent / lives));
			// At the edge of a window so little time shows nothing.
			return (lives * LAST_PART < 1) ? Math.max(last.permits(), demand) : demand;
		});
		return Math.max(cost, Math.min(wanted, this.counted.algorithm().maxCost()));
	}

}

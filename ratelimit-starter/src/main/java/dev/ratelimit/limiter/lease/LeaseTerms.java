package dev.ratelimit.limiter.lease;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Mode;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;

/**
 * How permits of one limit are leased. Of the lease time three quarters are for spending,
 * and one for repeating a refusal, so that a permit that is wanted is in use again a
 * window and a lease time after it was granted.
 * <p>
 * <b>Why no window ever holds more than its threshold.</b> In a log a permit is spent at
 * most a life after its grant, and counts for a window from then on: the store asks for
 * windows that are longer by a life. So take any window, and of the leases that spend in
 * it the one that was granted last: all the others still counted then. Counters know no
 * time but that of their window, so there a lease ends with the window it was granted in.
 *
 * @param asked the limit as the store is asked for it
 * @param life how long a lease may be spent
 * @param hold how long a refusal is repeated at least
 * @param size how many permits are reserved at a time; empty where demand tells
 */
record LeaseTerms(Limit asked, Duration life, Duration hold, Optional<Long> size) {

	/** A log remembers each permit: more at a time would keep Redis busy for too long. */
	private static final long MOST_OF_A_LOG = 1000;

	static LeaseTerms of(Limit limit, Mode.Leased mode) {
		long millis = mode.time(limit.thresholds()).toMillis();
		Duration life = Duration.ofMillis(Math.max(1, millis - millis / 4));
		return new LeaseTerms(isLog(limit) ? limit.lengthenedBy(life) : limit, life, Duration.ofMillis(millis / 4),
				mode.size());
	}

	private static boolean isLog(Limit limit) {
		return limit.algorithm() == Algorithm.SLIDING_WINDOW_LOG;
	}

	/**
	 * How long permits may be spent that the store has just granted.
	 * @param usage what the store said of each window
	 * @return the time from when it was asked, in nanoseconds: shorter by the part by
	 * which its clock may run faster than ours
	 */
	long lifeNanos(List<Usage> usage) {
		long micros = this.life.toNanos() / 1000;
		for (int i = 0; i < usage.size(); i++) {
			micros = Math.min(micros, leftMicros(i, usage.get(i)));
		}
		return (micros - micros / 1000 - 1) * 1000;
	}

	/** Until the current window of a counter ends, in which something is used now. */
	private long leftMicros(int index, Usage usage) {
		return switch (this.asked.algorithm()) {
			case FIXED_WINDOW -> usage.resetMicros();
			case SLIDING_WINDOW_COUNTER -> usage.resetMicros() - this.asked.windowMicros(index);
			case SLIDING_WINDOW_LOG, TOKEN_BUCKET, LEAKY_BUCKET -> Long.MAX_VALUE;
		};
	}

	/**
	 * How many permits to ask for.
	 * @param last the lease before
	 * @param cost how many are needed at once
	 * @param nowNanos the time
	 * @return as many as are spent in the life of a lease, if it goes on as during the
	 * last one; but no more than twice of that one
	 */
	long wanted(Lease last, long cost, long nowNanos) {
		long wanted = this.size.orElseGet(() -> {
			double lives = (double) Math.max(1, nowNanos - last.askedNanos()) / this.life.toNanos();
			return Math.min(2 * last.permits(), (long) Math.ceil(last.spent() / lives));
		});
		return Math.max(cost, isLog(this.asked) ? Math.min(wanted, MOST_OF_A_LOG) : wanted);
	}

}

package dev.ratelimit.limiter.lease;

import java.util.List;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Usage;

/**
 * A refusal of the store that the store would repeat.
 *
 * @param cost how many permits it refused
 * @param usage the state of the windows
 * @param askedNanos when the store was called
 * @param untilNanos until when the store is not called again for that many permits
 */
record LeaseRefusal(long cost, List<Usage> usage, long askedNanos, long untilNanos) {

	/**
	 * Create a refusal.
	 * @param cost how many permits were refused
	 * @param usage the state of the windows that the store returned
	 * @param askedNanos when the store was called
	 * @param terms how long the refusal is cached: until a retry could succeed. It is
	 * cached at least for the hold time, so that permits that become free one by one are
	 * not requested one by one. It is cached at most for a lease time, because other
	 * instances may release permits
	 * @return the refusal
	 */
	static LeaseRefusal of(long cost, List<Usage> usage, long askedNanos, LeaseTerms terms) {
		long retryMicros = 0;
		for (Usage window : usage) {
			retryMicros = Math.max(retryMicros, window.retryMicros());
		}
		long mostMicros = terms.life().plus(terms.hold()).toNanos() / 1000;
		long nanos = Math.max(terms.hold().toNanos(), Math.min(retryMicros, mostMicros) * 1000);
		return new LeaseRefusal(cost, usage, askedNanos, askedNanos + nanos);
	}

	boolean holds(long cost, long nowNanos) {
		return cost >= this.cost && lasts(nowNanos);
	}

	boolean lasts(long nowNanos) {
		return nowNanos - this.untilNanos < 0;
	}

	/**
	 * Repeat the refusal.
	 * @param nowNanos the time
	 * @return the refusal, with its remaining waits
	 */
	AcquireResult again(long nowNanos) {
		long sinceMicros = (nowNanos - this.askedNanos) / 1000;
		return new AcquireResult.Leased(
				new AcquireResult.Refused(this.usage.stream().map((window) -> aged(window, sinceMicros)).toList()));
	}

	private static Usage aged(Usage window, long sinceMicros) {
		long retry = window.retryMicros();
		boolean waits = retry > 0 && retry != Usage.NEVER;
		return new Usage(window.remaining(), Math.max(0, window.resetMicros() - sinceMicros),
				waits ? Math.max(1, retry - sinceMicros) : retry);
	}

}

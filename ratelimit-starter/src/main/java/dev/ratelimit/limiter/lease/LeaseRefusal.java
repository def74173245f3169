package dev.ratelimit.limiter.lease;

import java.util.List;

import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Usage;

/**
 * What the store has refused, which it would refuse again.
 *
 * @param cost how many permits it refused
 * @param usage where the windows stood
 * @param askedNanos when it was asked
 * @param untilNanos how long it is not asked again for as many
 */
record LeaseRefusal(long cost, List<Usage> usage, long askedNanos, long untilNanos) {

	/**
	 * Remember a refusal.
	 * @param cost how many permits were refused
	 * @param usage what the store said
	 * @param askedNanos when it was asked
	 * @param terms how long it is remembered: until a retry could succeed, but no shorter
	 * than the hold, so that permits that come free one by one are not asked for one by
	 * one, and no longer than a lease time, as others may give some back
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
	 * Refuse again.
	 * @param nowNanos the time
	 * @return the refusal, with what is left of its waits
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

package dev.ratelimit.limiter.refusal;

import dev.ratelimit.limiter.source.EstimatedWindows;
import dev.ratelimit.limiter.source.KnownWindows;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;

/**
 * A cached refusal.
 *
 * @param request the refused request
 * @param windows the windows that the store returned
 * @param answeredNanos when the result had arrived, on the monotonic clock
 * @param endNanos until when the refusal holds, on the same clock
 */
public record CachedRefusal(AcquireRequest request, KnownWindows windows, long answeredNanos, long endNanos) {

	boolean isOf(Limit limit, Subject subject, long cost) {
		return this.request.limit() == limit && this.request.cost() == cost && this.request.subject().equals(subject);
	}

	boolean isOf(String rule, Subject subject) {
		return this.request.limit().rule().equals(rule) && this.request.subject().equals(subject);
	}

	boolean holds(long nowNanos) {
		return this.endNanos - nowNanos > 0;
	}

	/**
	 * Repeat the refusal, as the store would if no other request was counted since. Times
	 * run from the arrival of the result, which is a little later than the state it
	 * describes, so no client is asked to retry too early.
	 * @param nowNanos the time on the monotonic clock
	 * @return the refusal, with its remaining waits
	 */
	public EstimatedWindows again(long nowNanos) {
		return new EstimatedWindows(this.windows, 0, Math.max(0, nowNanos - this.answeredNanos) / 1000);
	}

}

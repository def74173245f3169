package dev.ratelimit.limiter.outage;

import java.util.List;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;

/**
 * A cached refusal.
 *
 * @param request the refused request
 * @param usage the state of the windows that the store returned
 * @param answeredNanos when the result had arrived, on the monotonic clock
 * @param endNanos until when the refusal holds, on the same clock
 */
public record CachedRefusal(AcquireRequest request, List<Usage> usage, long answeredNanos, long endNanos) {

	public CachedRefusal {
		usage = List.copyOf(usage);
	}

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
	 * The state of one window that the store would return now if no other request was
	 * counted since. Times run from the arrival of the result, which is a little later
	 * than the state it describes, so no client is asked to retry too early.
	 * @param index the place of the window in {@link #usage()}
	 * @param nowNanos the time on the monotonic clock
	 * @return the state of the window
	 */
	public Usage usage(int index, long nowNanos) {
		return this.usage.get(index).after(Math.max(0, nowNanos - this.answeredNanos) / 1000);
	}

}

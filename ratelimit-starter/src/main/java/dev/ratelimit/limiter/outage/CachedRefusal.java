package dev.ratelimit.limiter.outage;

import java.util.List;

import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;

/**
 * A refusal that is remembered.
 *
 * @param request what was asked
 * @param usage what the store found
 * @param answeredNanos when its answer was there, on the monotonic clock
 * @param endNanos until when it holds, on the same clock
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
	 * What the store would find now in one window if nobody else was counted since. Times
	 * run from when its answer was there, which is a little later than what it was about:
	 * nobody is told to come back too early. What is left is told as it was, though more
	 * may be free by now in a window that lets somebody else in.
	 * @param index the place of the window in {@link #usage()}
	 * @param nowNanos the time on the monotonic clock
	 * @return where the window stands
	 */
	public Usage usage(int index, long nowNanos) {
		long elapsedMicros = Math.max(0, nowNanos - this.answeredNanos) / 1000;
		Usage then = this.usage.get(index);
		long retryMicros = (then.retryMicros() == Usage.NEVER) ? Usage.NEVER
				: Math.max(0, then.retryMicros() - elapsedMicros);
		return new Usage(then.remaining(), Math.max(0, then.resetMicros() - elapsedMicros), retryMicros);
	}

}

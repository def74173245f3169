package dev.ratelimit.limiter.source;

import java.time.Duration;
import java.util.List;

import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Usage;

/**
 * A refusal of the store that is repeated for a while to requests of at least that cost.
 *
 * @param cost the cost of the refused request
 * @param windows the windows that the store returned
 * @param waitMicros the longest wait of these windows, from the call of the store on
 * @param sinceNanos when the store was called
 * @param untilNanos until when it is repeated
 */
public record RepeatedRefusal(long cost, KnownWindows windows, long waitMicros, long sinceNanos, long untilNanos) {

	/**
	 * Create a refusal that is repeated until a retry could succeed.
	 * @param limit the limit
	 * @param cost the cost of the refused request
	 * @param usage the state of the windows that the store returned
	 * @param sinceNanos when the store was called
	 * @param shortest how long to repeat it at least, so that permits that become free
	 * one by one are not requested one by one
	 * @param longest how long to repeat it at most, as other instances may release
	 * permits; not shorter than that
	 * @return the refusal
	 */
	public static RepeatedRefusal of(Limit limit, long cost, List<Usage> usage, long sinceNanos, Duration shortest,
			Duration longest) {
		long waitMicros = Usage.longestWaitMicros(usage);
		long nanos = Math.max(shortest.toNanos(), Math.min(waitMicros, longest.toNanos() / 1000) * 1000);
		return new RepeatedRefusal(cost, KnownWindows.refused(limit, List.copyOf(usage)), waitMicros, sinceNanos,
				sinceNanos + nanos);
	}

	/**
	 * Whether it applies to a request.
	 * @param cost the cost of the request
	 * @param nowNanos the time
	 * @return whether the request costs at least as much, and the refusal is repeated
	 */
	public boolean holds(long cost, long nowNanos) {
		return cost >= this.cost && lasts(nowNanos);
	}

	/**
	 * Whether it is still repeated.
	 * @param nowNanos the time
	 * @return whether it applies to any request
	 */
	public boolean lasts(long nowNanos) {
		return nowNanos - this.untilNanos < 0;
	}

	/**
	 * Repeat the refusal.
	 * @param nowNanos the time
	 * @return the refusal, with its remaining waits
	 */
	public EstimatedWindows again(long nowNanos) {
		// Repeated for longer than the wait, the last window still refuses.
		long elapsedMicros = Math.min((nowNanos - this.sinceNanos) / 1000, this.waitMicros - 1);
		return new EstimatedWindows(this.windows, 0, elapsedMicros);
	}

}

package dev.ratelimit.memcached;

import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.Rounding;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.SlidingEstimate;
import dev.ratelimit.store.Usage;

/**
 * What is counted in a window at one instant, with the arithmetic of its algorithm.
 *
 * @param limit the limit
 * @param index the index of the threshold in {@link Limit#thresholds()}
 * @param current what is counted in the current window
 * @param before what is counted in the window before; 0 for a fixed window
 * @param endsInMicros the time until the current window has certainly ended
 */
record WindowState(Limit limit, int index, long current, long before, long endsInMicros) {

	/** The permits that can be taken; negative if more are counted than the threshold. */
	long room() {
		return this.limit.count(this.index) - this.current
				- SlidingEstimate.share(this.before, this.endsInMicros, windowMicros(), roundsUp());
	}

	/** The window without permits that were counted and are not taken. */
	WindowState minus(long permits) {
		return new WindowState(this.limit, this.index, Math.max(0, this.current - permits), this.before,
				this.endsInMicros);
	}

	/** What a request gets to see that was admitted. */
	Usage admitted() {
		return new Usage(remaining(), resetMicros(), 0);
	}

	/**
	 * What a request gets to see that was refused, by this window or by another.
	 * @param cost its cost
	 */
	Usage refused(long cost) {
		if (cost > this.limit.count(this.index)) {
			return new Usage(remaining(), resetMicros(), Usage.NEVER);
		}
		return new Usage(remaining(), resetMicros(), (cost > room()) ? Math.max(1, retryMicros(cost)) : 0);
	}

	private long remaining() {
		return Math.max(0, room());
	}

	private long resetMicros() {
		if (this.current > 0) {
			return this.endsInMicros + (slides() ? windowMicros() : 0);
		}
		return (this.before > 0) ? this.endsInMicros : 0;
	}

	private long retryMicros(long cost) {
		return slides() ? SlidingEstimate.retry(this.limit.count(this.index) - cost, this.current, this.before,
				this.endsInMicros, windowMicros(), roundsUp()) : this.endsInMicros;
	}

	private boolean slides() {
		return this.limit.algorithm() == Algorithm.SLIDING_WINDOW_COUNTER;
	}

	private boolean roundsUp() {
		return this.limit.rounding() == Rounding.UP;
	}

	private long windowMicros() {
		return this.limit.windowMicros(this.index);
	}

}

package dev.ratelimit.memcached;

import dev.ratelimit.rule.Rounding;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.SlidingEstimate;

/**
 * A sliding-window counter: the permits of the current window, and those of the window
 * before as far as it still lies in the sliding one. Computes what the counter in memory
 * and that in Redis compute.
 *
 * @param threshold its threshold
 * @param window its length in microseconds
 * @param roundsUp whether fractions of a permit count as one
 * @param current what is counted in the current window
 * @param previous what is counted in the window before
 * @param nowMicros the time, in microseconds since 1970
 */
record TwoCountersState(long threshold, long window, boolean roundsUp, long current, long previous,
		long nowMicros) implements WindowState {

	static TwoCountersState of(Limit limit, int index, long current, long previous, long nowMicros) {
		return new TwoCountersState(limit.count(index), limit.windowMicros(index), limit.rounding() == Rounding.UP,
				current, previous, nowMicros);
	}

	@Override
	public long room() {
		return this.threshold - this.current
				- SlidingEstimate.share(this.previous, endsInMicros(), this.window, this.roundsUp);
	}

	/** The time until the current window becomes the one before. */
	private long endsInMicros() {
		return this.window - this.nowMicros % this.window;
	}

	@Override
	public long resetMicros() {
		if (this.current > 0) {
			return endsInMicros() + this.window;
		}
		return (this.previous > 0) ? endsInMicros() : 0;
	}

	/**
	 * In the current window, or otherwise in the next one, where the current count
	 * becomes that before.
	 */
	@Override
	public long retryMicros(long cost) {
		long mostUsed = this.threshold - cost;
		return (mostUsed >= this.current)
				? endsInMicros()
						- SlidingEstimate.mostLeft(mostUsed - this.current, this.previous, this.window, this.roundsUp)
				: endsInMicros() + this.window
						- SlidingEstimate.mostLeft(mostUsed, this.current, this.window, this.roundsUp);
	}

	@Override
	public TwoCountersState plus(long permits) {
		return new TwoCountersState(this.threshold, this.window, this.roundsUp, Math.max(0, this.current + permits),
				this.previous, this.nowMicros);
	}

}

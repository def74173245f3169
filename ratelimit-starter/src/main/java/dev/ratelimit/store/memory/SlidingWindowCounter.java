package dev.ratelimit.store.memory;

import dev.ratelimit.rule.Rounding;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.SlidingEstimate;

/**
 * A sliding-window counter: two fixed windows, in constant memory. The permits of the
 * previous window are assumed to be spread evenly, and count as far as they still lie in
 * the sliding window: {@code previous * (1 - elapsed / window) + current}. That is exact
 * for a steady client and an estimate for others. Uneven bursts let a rolling window
 * exceed its threshold, always below twice the threshold, or keep a client waiting longer
 * than a log would. The algorithm is the one that Cloudflare describes ("How we built
 * rate limiting capable of scaling to millions of domains"). A counter does not know its
 * permits: a request that is sent again counts again. With {@link CountedWindows} the
 * twin of {@code SlidingWindowCounter.lua}, step by step, and the oracle that script is
 * tested against. Tested by {@code CounterDefinitionTests}.
 *
 * @param index the number of windows before the current one
 * @param current the permits of the current window
 * @param previous the permits of the previous window
 * @param steps how often the clock has stepped back behind the current window
 */
record SlidingWindowCounter(long index, long current, long previous,
		long steps) implements AlignedWindow<SlidingWindowCounter> {

	static final SlidingWindowCounter UNUSED = new SlidingWindowCounter(0, 0, 0, 0);

	/**
	 * Where the clock has stepped back, the permits count as taken now, up to the
	 * threshold, or what a larger plan has taken in one window: no client waits longer
	 * than if all had been taken now.
	 */
	@Override
	public SlidingWindowCounter at(Limit limit, int i, long nowMicros) {
		long now = nowMicros / limit.windowMicros(i);
		if (this.index > now) {
			long most = Math.max(limit.count(i), Math.max(this.current, this.previous));
			return new SlidingWindowCounter(now, Math.min(most, this.current + this.previous), 0,
					(this.steps + 1) % STEPS);
		}
		if (this.index == now) {
			return this;
		}
		return new SlidingWindowCounter(now, 0, (this.index == now - 1) ? this.current : 0, this.steps);
	}

	@Override
	public long room(Limit limit, int i, long nowMicros) {
		long window = limit.windowMicros(i);
		return limit.count(i) - this.current - SlidingEstimate.share(this.previous, window - nowMicros % window, window,
				limit.rounding() == Rounding.UP);
	}

	@Override
	public SlidingWindowCounter plus(long permits, long age) {
		return new SlidingWindowCounter(this.index,
				(age == 0) ? AlignedWindow.counted(this.current + permits) : this.current,
				(age == 1) ? AlignedWindow.counted(this.previous + permits) : this.previous, this.steps);
	}

	@Override
	public SlidingWindowCounter keptAt(long nowMicros) {
		return this;
	}

	@Override
	public boolean isUsed() {
		return this.current > 0 || this.previous > 0;
	}

	@Override
	public long endMicros(long window) {
		long ending = (this.index + 1) * window;
		if (this.current > 0) {
			return ending + window;
		}
		return (this.previous > 0) ? ending : 0;
	}

	@Override
	public long retryMicros(Limit limit, int i, long cost, long nowMicros) {
		long window = limit.windowMicros(i);
		long mostUsed = limit.count(i) - cost;
		return SlidingEstimate.retry(mostUsed, this.current, this.previous, (this.index + 1) * window - nowMicros,
				window, limit.rounding() == Rounding.UP);
	}

}

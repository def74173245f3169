package dev.ratelimit.store.memory;

import dev.ratelimit.store.Limit;

/**
 * A token bucket that is filled completely at the end of every interval. An interval is
 * as long as the window. It begins with the first admission after the end of the previous
 * interval. It admits at most N in each interval, but up to {@code 2N-1} in a short time
 * around a refill: {@code N-1} late in one interval and N at the start of the next. A
 * limit that must hold in every window needs the sliding-window log. A bucket does not
 * know its permits: a request that is sent again counts again. With
 * {@link CountedWindows} the twin of {@code IntervalBucket.lua}, and the oracle that
 * script is tested against. A receipt is twice the beginning of its interval, and one
 * more for the admission that began it. Tested by {@code IntervalModelTests}.
 *
 * @param taken the number of permits taken; 0 if the interval has not begun
 * @param began when its first permit was taken, which identifies the interval
 * @param start the instant from which it is as long as the window
 */
record IntervalBucket(long taken, long began, long start) implements CountedWindow<IntervalBucket> {

	static final IntervalBucket UNUSED = new IntervalBucket(0, 0, 0);

	@Override
	public IntervalBucket at(Limit limit, int i, long nowMicros) {
		if (this.taken == 0 || endMicros(limit.windowMicros(i)) <= nowMicros) {
			return new IntervalBucket(0, nowMicros, nowMicros);
		}
		return keptAt(nowMicros);
	}

	@Override
	public boolean isAheadOf(long window, long nowMicros) {
		return this.taken > 0 && this.start > nowMicros;
	}

	@Override
	public long room(Limit limit, int i, long nowMicros) {
		return limit.capacity(i) - this.taken;
	}

	@Override
	public boolean isUsed() {
		return this.taken > 0;
	}

	@Override
	public long endMicros(long window) {
		return this.start + window;
	}

	/** A release may put the interval off until then. */
	@Override
	public long idleMicros(long window, long lastMicros) {
		return Math.max(endMicros(window), lastMicros + window);
	}

	@Override
	public long receipt(long window) {
		return 2 * this.began + ((this.taken == 0) ? 1 : 0);
	}

	@Override
	public IntervalBucket plus(long permits) {
		return new IntervalBucket(Math.max(0, this.taken + permits), this.began, this.start);
	}

	/** Permits of any other interval do not count any more. */
	@Override
	public boolean identifies(long receipt, long window) {
		return true;
	}

	/**
	 * If the permits began the interval, it ends one window after the last ones that were
	 * taken. If it was put off so before, these may be the ones it was put off to.
	 */
	@Override
	public IntervalBucket minus(long permits, long receipt, long window, long lastMicros) {
		if (this.began != receipt / 2) {
			return this;
		}
		IntervalBucket rest = plus(-permits);
		boolean beganIt = receipt % 2 == 1;
		boolean isPutOff = this.start > this.began;
		return (beganIt || isPutOff) ? rest.startingAt(Math.max(this.start, lastMicros)) : rest;
	}

	/** Where the clock has stepped back, an interval of the future counts as of now. */
	@Override
	public IntervalBucket keptAt(long nowMicros) {
		return (this.start > nowMicros) ? startingAt(nowMicros) : this;
	}

	private IntervalBucket startingAt(long start) {
		return new IntervalBucket(this.taken, this.began, start);
	}

}

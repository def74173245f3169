package dev.ratelimit.store.memory;

import java.math.BigInteger;

/**
 * The permits that were counted in a window and in the previous one.
 *
 * @param index the number of windows before the current one
 * @param current the permits of the current window
 * @param previous the permits of the previous window
 * @param steps how often the clock has stepped back behind the current window
 */
record WindowPair(long index, long current, long previous, long steps) {

	static final WindowPair UNUSED = new WindowPair(0, 0, 0, 0);

	/** The number of distinct steps: less than the shortest window has microseconds. */
	private static final long STEPS = 1000;

	/** The script does not distinguish larger counts. */
	private static final long MOST = 999_999_999_999_999L;

	/**
	 * The same counts, as of another window. If that window is earlier, the permits count
	 * as taken now, up to the threshold: no client waits longer than if all had been
	 * taken now.
	 * @param now the index of the window
	 * @param threshold the threshold
	 * @return the counts
	 */
	WindowPair at(long now, long threshold) {
		if (this.index > now) {
			return new WindowPair(now, Math.min(threshold, this.current + this.previous), 0, (this.steps + 1) % STEPS);
		}
		if (this.index == now) {
			return this;
		}
		return new WindowPair(now, 0, (this.index == now - 1) ? this.current : 0, this.steps);
	}

	WindowPair plus(long cost) {
		return plus(cost, 0);
	}

	/**
	 * Add permits of this window or an earlier one.
	 * @param cost the number of permits
	 * @param age the number of windows since they were taken
	 * @return the counts
	 */
	WindowPair plus(long cost, long age) {
		return new WindowPair(this.index, (age == 0) ? Math.min(MOST, this.current + cost) : this.current,
				(age == 1) ? Math.min(MOST, this.previous + cost) : this.previous, this.steps);
	}

	/**
	 * Remove permits of this window or an earlier one.
	 * @param cost the number of permits
	 * @param age the number of windows since they were taken
	 * @return the counts
	 */
	WindowPair minus(long cost, long age) {
		return new WindowPair(this.index, (age == 0) ? Math.max(0, this.current - cost) : this.current,
				(age == 1) ? Math.max(0, this.previous - cost) : this.previous, this.steps);
	}

	/**
	 * The number of permits that count.
	 * @param left the time that is left of the current window
	 * @param window its length
	 * @param up whether a fraction counts as a whole permit
	 * @return the estimate
	 */
	long estimate(long left, long window, boolean up) {
		return share(this.previous, left, window, up) + this.current;
	}

	/**
	 * Time until neither counter affects the sliding window.
	 * @param window the length of the window
	 * @param nowMicros the time
	 * @return the time; not positive if none does
	 */
	long resetMicros(long window, long nowMicros) {
		long ending = (this.index + 1) * window;
		if (this.current > 0) {
			return ending + window - nowMicros;
		}
		return (this.previous > 0) ? ending - nowMicros : 0;
	}

	/**
	 * The smallest wait after which the estimate leaves room: in the current window, or
	 * otherwise in the next one, where the current count becomes the previous one.
	 * @param mostUsed the largest estimate that leaves room, below the present estimate
	 * @param window the length of the window
	 * @param nowMicros the time
	 * @param up whether a fraction counts as a whole permit
	 * @return the wait
	 */
	long retryMicros(long mostUsed, long window, long nowMicros, boolean up) {
		long ending = (this.index + 1) * window - nowMicros;
		return (mostUsed >= this.current) ? ending - mostLeft(mostUsed - this.current, this.previous, window, up)
				: ending + window - mostLeft(mostUsed, this.current, window, up);
	}

	/**
	 * The largest part of a window that can be left so that no more of its predecessor
	 * counts than allowed.
	 */
	private static long mostLeft(long mostUsed, long previous, long window, boolean up) {
		return up ? share(mostUsed, window, previous, false) : share(mostUsed + 1, window, previous, true) - 1;
	}

	/** {@code a * b / c} in whole numbers. */
	private static long share(long a, long b, long c, boolean up) {
		long rest = up ? c - 1 : 0;
		if (Math.multiplyHigh(a, b) == 0 && a * b >= 0 && a * b <= Long.MAX_VALUE - rest) {
			return (a * b + rest) / c;
		}
		return BigInteger.valueOf(a)
			.multiply(BigInteger.valueOf(b))
			.add(BigInteger.valueOf(rest))
			.divide(BigInteger.valueOf(c))
			.longValueExact();
	}

}

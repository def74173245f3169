package dev.ratelimit.store.memory;

import java.math.BigInteger;

/**
 * What was counted in a window and in the one before it.
 *
 * @param index how many windows lie before the current one
 * @param current the permits of the current window
 * @param previous the permits of the window before it
 * @param steps how often the clock has stepped back behind the current window
 */
record WindowPair(long index, long current, long previous, long steps) {

	static final WindowPair UNUSED = new WindowPair(0, 0, 0, 0);

	/** How many steps are told apart: less than the shortest window has micros. */
	private static final long STEPS = 1000;

	/** More is not told apart in the script. */
	private static final long MOST = 999_999_999_999_999L;

	/**
	 * The same counts, seen from another window. If that is an earlier one, what was
	 * counted then counts as of now, up to the threshold: nobody waits longer than if all
	 * had been taken now.
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
	 * With permits of this window or an earlier one.
	 * @param cost how many
	 * @param age how many windows ago they were taken
	 * @return the counts
	 */
	WindowPair plus(long cost, long age) {
		return new WindowPair(this.index, (age == 0) ? Math.min(MOST, this.current + cost) : this.current,
				(age == 1) ? Math.min(MOST, this.previous + cost) : this.previous, this.steps);
	}

	/**
	 * Without permits of this window or an earlier one.
	 * @param cost how many
	 * @param age how many windows ago they were taken
	 * @return the counts
	 */
	WindowPair minus(long cost, long age) {
		return new WindowPair(this.index, (age == 0) ? Math.max(0, this.current - cost) : this.current,
				(age == 1) ? Math.max(0, this.previous - cost) : this.previous, this.steps);
	}

	/**
	 * How many permits count.
	 * @param left how much is left of the current window
	 * @param window its length
	 * @param up whether a fraction counts as a whole permit
	 * @return the estimate
	 */
	long estimate(long left, long window, boolean up) {
		return share(this.previous, left, window, up) + this.current;
	}

	/**
	 * Time until both counters are out of sight.
	 * @param window the length of the window
	 * @param nowMicros the time
	 * @return the time, not positive if they are
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
	 * else in the next one, where current is what previous is now.
	 * @param mostUsed the largest estimate that leaves room, below the one of now
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

	/** How much of a window can be left when of its predecessor no more counts. */
	private static long mostLeft(long mostUsed, long previous, long window, boolean up) {
		return up ? share(mostUsed, window, previous, false) : share(mostUsed + 1, window, previous, true) - 1;
	}

	/** a * b / c in whole numbers. */
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

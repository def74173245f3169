package dev.ratelimit.memcached;

import java.math.BigInteger;

import dev.ratelimit.rule.Rounding;
import dev.ratelimit.store.Limit;

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
		return this.threshold - this.current - share(this.previous, endsInMicros(), this.window, this.roundsUp);
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
		return (mostUsed >= this.current) ? endsInMicros() - mostLeft(mostUsed - this.current, this.previous)
				: endsInMicros() + this.window - mostLeft(mostUsed, this.current);
	}

	/**
	 * The largest part of a window that can be left so that no more of the window before
	 * counts than allowed.
	 */
	private long mostLeft(long mostUsed, long before) {
		return this.roundsUp ? share(mostUsed, this.window, before, false)
				: share(mostUsed + 1, this.window, before, true) - 1;
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

	@Override
	public TwoCountersState plus(long permits) {
		return new TwoCountersState(this.threshold, this.window, this.roundsUp, Math.max(0, this.current + permits),
				this.previous, this.nowMicros);
	}

	/** The end of the current window. */
	@Override
	public long receipt() {
		return this.nowMicros + endsInMicros();
	}

}

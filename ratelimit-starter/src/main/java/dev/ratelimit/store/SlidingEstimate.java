package dev.ratelimit.store;

import java.math.BigInteger;

/**
 * The arithmetic of a sliding-window counter, in whole numbers and without overflow: what
 * the window before still counts, and when it counts less. Every store that counts in two
 * counters computes with it, so all decide alike. The algorithm is the one that
 * Cloudflare describes ("How we built rate limiting capable of scaling to millions of
 * domains"). Tested by {@code CounterDefinitionTests}.
 */
public final class SlidingEstimate {

	private SlidingEstimate() {
	}

	/**
	 * The permits of the window before that count as long as a part of the current window
	 * is left.
	 * @param before the permits of the window before; not negative
	 * @param left what is left of the current window; not negative
	 * @param window the length of a window, in the same unit; positive
	 * @param roundsUp whether a fraction of a permit counts as one
	 * @return {@code before * left / window}
	 */
	public static long share(long before, long left, long window, boolean roundsUp) {
		return quotient(before, left, window, roundsUp);
	}

	/**
	 * The time until no more permits count than allowed: in the current window, or
	 * otherwise in the next one, where the current count becomes that before. More count
	 * now.
	 * @param mostUsed how many permits may count; not negative
	 * @param current the permits of the current window
	 * @param before the permits of the window before
	 * @param left what is left of the current window
	 * @param window the length of a window
	 * @param roundsUp whether a fraction of a permit counts as one
	 * @return the time, in the unit of the length
	 */
	public static long retry(long mostUsed, long current, long before, long left, long window, boolean roundsUp) {
		return (mostUsed >= current) ? left - mostLeft(mostUsed - current, before, window, roundsUp)
				: left + window - mostLeft(mostUsed, current, window, roundsUp);
	}

	/**
	 * The largest part of the current window that can be left so that no more of the
	 * window before counts than allowed.
	 */
	private static long mostLeft(long mostUsed, long before, long window, boolean roundsUp) {
		return roundsUp ? quotient(mostUsed, window, before, false) : quotient(mostUsed + 1, window, before, true) - 1;
	}

	/** {@code a * b / c} in whole numbers. */
	private static long quotient(long a, long b, long c, boolean up) {
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

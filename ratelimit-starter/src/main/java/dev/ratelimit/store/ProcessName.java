package dev.ratelimit.store;

import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A number that names this process among all that count in a store. It changes whenever
 * the {@linkplain RateLimitStore#incarnation() incarnation} changes, as a copy of the
 * process would have the same otherwise. Safe for concurrent use.
 */
public final class ProcessName {

	private final long drawn;

	private final LongSupplier incarnation;

	/**
	 * Draw a number.
	 * @param random draws it. A copy of this process has the same one, so it alone is not
	 * enough
	 * @param incarnation the incarnation of the store
	 */
	public ProcessName(RandomGenerator random, LongSupplier incarnation) {
		this.drawn = random.nextLong();
		this.incarnation = incarnation;
	}

	/**
	 * The name.
	 * @return 64 bits
	 */
	public long bits() {
		return this.drawn ^ this.incarnation.getAsLong();
	}

}

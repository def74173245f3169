package dev.ratelimit.store;

import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * A number that no other process that counts in a store has; one process may draw
 * several. It changes whenever the {@linkplain StoreCapabilities#incarnation()
 * incarnation} changes, because a copy of the process would otherwise have the same name.
 * Safe for concurrent use.
 */
public final class ProcessName {

	private final long drawn;

	private final LongSupplier incarnation;

	/**
	 * Draw a number.
	 * @param random the source of the number. A copy of this process has the same source,
	 * so it is not sufficient alone
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

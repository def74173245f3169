package dev.ratelimit.store;

import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/**
 * Generates permit ids: 36 random bits that name this instance, and a sequence number of
 * 48 bits. Two instances in a thousand share a name with a probability below
 * 10<sup>-5</sup>. Even then their ids collide only if they use the same number for the
 * same key inside one window. A copy of the process continues from the same number, so a
 * new name is drawn when the store has lost its connections.
 */
public final class PermitIds {

	private final ProcessName instance;

	private final AtomicLong sequence = new AtomicLong();

	/**
	 * Create a source of ids for a store that is not shared with other processes.
	 * @param random the source of the name of this instance
	 */
	public PermitIds(RandomGenerator random) {
		this(new ProcessName(random, () -> 0));
	}

	/**
	 * Create a source of ids.
	 * @param instance the name of this instance
	 */
	public PermitIds(ProcessName instance) {
		this.instance = instance;
	}

	/**
	 * The next id. Safe for concurrent use.
	 * @return an id that this instance has not returned before
	 */
	public PermitId next() {
		return new PermitId(this.instance.bits(), this.sequence.getAndIncrement());
	}

}

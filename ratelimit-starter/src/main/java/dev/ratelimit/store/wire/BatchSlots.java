package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides when the next batch to a node may start. Usually at most two are under way: one
 * at the node, the other on the network. While none is under way, a request is sent at
 * once. While one is, the second starts as soon as as many requests wait as the last
 * batch carried. Requests that once arrived together are therefore sent together again,
 * and a request that arrives alone waits for no other. Used by any number of threads.
 * Tested by {@code BatchSlotsTests}.
 */
final class BatchSlots {

	/** Longer than a batch takes to a nearby node and back. */
	static final Duration PATIENCE = Duration.ofMillis(5);

	private static final int USUAL = 2;

	private final int usual;

	private final int most;

	private final long patienceNanos;

	private final AtomicInteger taken = new AtomicInteger();

	/** How many requests the last batch carried. */
	private volatile int carried;

	/**
	 * Create free slots.
	 * @param most how many batches are under way at most
	 * @param patience how long a request waits for a usual slot before it takes a further
	 * one
	 */
	BatchSlots(int most, Duration patience) {
		this.usual = Math.min(USUAL, most);
		this.most = most;
		this.patienceNanos = patience.toNanos();
	}

	/** How many batches are under way at most. */
	int most() {
		return this.most;
	}

	/** How many of them besides the usual ones. */
	int further() {
		return this.most - this.usual;
	}

	/** How long a request waits for a usual slot before it takes a further one. */
	long patienceNanos() {
		return this.patienceNanos;
	}

	/** A batch starts that carries so many requests. */
	void carries(int requests) {
		this.carried = requests;
	}

	/** Whether so many requests are worth a slot. */
	private boolean areEnough(int requests) {
		return this.taken.get() == 0 || requests >= this.carried;
	}

	/**
	 * Whether so many requests are worth a usual slot, and one was free, which is taken.
	 */
	boolean takeUsual(int requests) {
		return areEnough(requests) && take(this.usual);
	}

	/** Whether any slot was free, for a request that has waited too long. */
	boolean takeAny() {
		return take(this.most);
	}

	private boolean take(int limit) {
		int now = this.taken.get();
		while (now < limit) {
			if (this.taken.compareAndSet(now, now + 1)) {
				return true;
			}
			now = this.taken.get();
		}
		return false;
	}

	void free() {
		this.taken.decrementAndGet();
	}

	/**
	 * Whether the slot that becomes free should wait for more requests. Never where there
	 * are no further slots for requests that have waited too long.
	 */
	boolean isSpare(int requests) {
		return this.taken.get() == USUAL && this.most > USUAL && !areEnough(requests);
	}

}

package dev.ratelimit.store.wire;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Decides when the next batch to a node may start. Usually at most two are under way: one
 * at the node, the other on the network. While none is under way, a request is sent at
 * once. While one is, the second starts as soon as as many requests wait as the last
 * batch carried. Requests that once arrived together are therefore sent together again,
 * and a request that arrives alone waits for no other. Used by any number of threads.
 * Tested by {@code RequestBatcherTests}.
 */
final class BatchSlots {

	private static final int USUAL = 2;

	private final int usual;

	private final int most;

	private final NodeQueue waiting;

	private final AtomicInteger taken = new AtomicInteger();

	/** How many requests the last batch carried. */
	private volatile int carried;

	/**
	 * Create free slots.
	 * @param maxConnections how many batches are under way at most
	 * @param maxWaiting how many requests wait at most, besides those that could have a
	 * connection of their own
	 */
	BatchSlots(int maxConnections, int maxWaiting) {
		this.usual = Math.min(USUAL, maxConnections);
		this.most = maxConnections;
		this.waiting = new NodeQueue(maxConnections - this.usual + maxWaiting);
	}

	/** The requests that wait for a slot. */
	NodeQueue waiting() {
		return this.waiting;
	}

	/** A batch starts that carries so many requests. */
	void carries(int requests) {
		this.carried = requests;
	}

	/** Whether so many requests are worth a slot. */
	private boolean areEnough(int requests) {
		return this.taken.get() == 0 || requests >= this.carried || this.waiting.isFull();
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
	boolean isSpare() {
		return this.taken.get() == USUAL && this.most > USUAL && !areEnough(this.waiting.count());
	}

}

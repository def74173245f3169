package dev.ratelimit.store.wire;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * The requests that wait for a batch slot of a node, in the order of arrival. Used by any
 * number of threads. Tested by {@code RequestBatcherTests}.
 */
final class NodeQueue {

	static final int MOST_WEIGHT = 64;

	private final int most;

	private final Queue<WaitingRequest> queue = new ConcurrentLinkedQueue<>();

	/** At least the size of the queue, which is costly to count. */
	private final AtomicInteger count = new AtomicInteger();

	/**
	 * Create an empty queue.
	 * @param most how many may wait
	 */
	NodeQueue(int most) {
		this.most = most;
	}

	boolean isEmpty() {
		return this.queue.isEmpty();
	}

	/**
	 * The number of waiting requests; may be slightly high while requests join or leave.
	 */
	int count() {
		return this.count.get();
	}

	/** Whether no more requests may wait, so that waiting for more is useless. */
	boolean isFull() {
		return this.count.get() >= this.most;
	}

	/**
	 * Add a request.
	 * @return whether it was added; else too many wait
	 */
	boolean add(WaitingRequest pending) {
		if (this.count.incrementAndGet() > this.most) {
			this.count.decrementAndGet();
			return false;
		}
		boolean added = false;
		try {
			added = this.queue.add(pending);
		}
		finally {
			if (!added) {
				this.count.decrementAndGet();
			}
		}
		return added;
	}

	/**
	 * Remove a request.
	 * @return whether it was still in the queue
	 */
	boolean remove(WaitingRequest pending) {
		boolean removed = this.queue.remove(pending);
		if (removed) {
			this.count.decrementAndGet();
		}
		return removed;
	}

	/** The request that has waited longest, unless none waits. */
	@Nullable WaitingRequest oldest() {
		return this.queue.peek();
	}

	/**
	 * Make the request lead that has waited longest.
	 * @return whether there is one that has a thread
	 */
	boolean leadOldest() {
		for (WaitingRequest oldest = oldest(); oldest != null && oldest.hasThread(); oldest = oldest()) {
			if (remove(oldest) && oldest.appointLeader()) {
				return true;
			}
		}
		return false;
	}

	private @Nullable WaitingRequest poll() {
		WaitingRequest oldest = this.queue.poll();
		if (oldest != null) {
			this.count.decrementAndGet();
		}
		return oldest;
	}

	/** How many of the requests that wait now fit into one batch. */
	int room() {
		return Math.min(MOST_WEIGHT, this.count.get());
	}

	/**
	 * Put the requests that have waited longest into a batch. Allocates nothing, as an
	 * allocation failure could lose them.
	 * @param requests the requests of the batch, with room for more
	 * @param room how many at most
	 * @param leader the request that has the batch slot, which may be in this queue
	 */
	void board(List<WaitingRequest> requests, int room, @Nullable WaitingRequest leader) {
		int weight = (leader != null) ? leader.calls().weight() : 0;
		int bytes = (leader != null) ? leader.calls().bytes() : 0;
		for (int i = 0; i < room && weight < MOST_WEIGHT && bytes < NodeCalls.MOST_BYTES; i++) {
			WaitingRequest next = poll();
			if (next == null) {
				return;
			}
			if (next == leader) {
				requests.add(next);
			}
			else if (next.joinBatch()) {
				requests.add(next);
				weight += next.calls().weight();
				bytes += next.calls().bytes();
			}
		}
	}

}

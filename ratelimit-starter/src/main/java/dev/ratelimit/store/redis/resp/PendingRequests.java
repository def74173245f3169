package dev.ratelimit.store.redis.resp;

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * Those that wait for a lane to a node, in the order of coming. Used by any number of
 * threads.
 */
final class PendingRequests {

	/**
	 * When a round trip has as much, nothing more boards it. So it never has twice as
	 * much, which fits into the send buffer: a write of theirs never waits for a server
	 * that reads nothing.
	 */
	static final int MOST_BYTES = 64 * 1024;

	private static final int MOST_WEIGHT = 64;

	private final int most;

	private final Queue<PendingRequest> queue = new ConcurrentLinkedQueue<>();

	/** At least as many as are queued, which is costly to count. */
	private final AtomicInteger count = new AtomicInteger();

	/**
	 * Nobody waits yet.
	 * @param most how many may wait
	 */
	PendingRequests(int most) {
		this.most = most;
	}

	boolean isEmpty() {
		return this.queue.isEmpty();
	}

	/** How many wait, or a few more: whoever is about to come or go counts. */
	int count() {
		return this.count.get();
	}

	/** Whether nobody more may wait, so that it is no use to wait for more. */
	boolean isFull() {
		return this.count.get() >= this.most;
	}

	/**
	 * Have one wait.
	 * @return whether it does; else too many wait
	 */
	boolean add(PendingRequest pending) {
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

	/** Let one go that does not wait any more, if it still stands here. */
	void remove(PendingRequest pending) {
		if (this.queue.remove(pending)) {
			this.count.decrementAndGet();
		}
	}

	/**
	 * Have the one lead that has waited longest.
	 * @return whether there is one
	 */
	boolean leadOldest() {
		PendingRequest oldest = poll();
		while (oldest != null && !oldest.lead()) {
			oldest = poll();
		}
		return oldest != null;
	}

	private @Nullable PendingRequest poll() {
		PendingRequest oldest = this.queue.poll();
		if (oldest != null) {
			this.count.decrementAndGet();
		}
		return oldest;
	}

	/** How many one round trip can carry of those that wait now. */
	int room() {
		return Math.min(MOST_WEIGHT, this.count.get());
	}

	/**
	 * Have a round trip carry those that have waited longest. Allocates nothing, or they
	 * could be lost.
	 * @param batch the round trip
	 * @param requests what it carries, which has room
	 * @param room how many at most
	 * @param leader who has a lane, and may stand among them
	 */
	void board(PipelinedBatch batch, List<PendingRequest> requests, int room, @Nullable PendingRequest leader) {
		int weight = (leader != null) ? leader.calls().weight() : 0;
		int bytes = (leader != null) ? leader.calls().bytes() : 0;
		for (int i = 0; i < room && weight < MOST_WEIGHT && bytes < MOST_BYTES; i++) {
			PendingRequest next = poll();
			if (next == null) {
				return;
			}
			if (next == leader) {
				requests.add(next);
			}
			else if (next.board(batch)) {
				requests.add(next);
				weight += next.calls().weight();
				bytes += next.calls().bytes();
			}
		}
	}

}

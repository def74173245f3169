package dev.ratelimit.datacenters;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The clients of which there is something to exchange, each of them once, the oldest
 * first. Safe for concurrent use.
 */
final class ExchangeQueue {

	/**
	 * The largest number of queued clients. Another one is queued with its next request.
	 */
	static final int MOST_QUEUED = 50_000;

	private final Set<PooledSubject> queued = ConcurrentHashMap.newKeySet();

	private final Queue<PooledSubject> queue = new ConcurrentLinkedQueue<>();

	private final AtomicInteger size = new AtomicInteger();

	/** Queue a client, unless it is queued or too many are. */
	void add(PooledSubject subject) {
		if (this.size.get() < MOST_QUEUED && this.queued.add(subject)) {
			this.size.incrementAndGet();
			this.queue.add(subject);
		}
	}

	int size() {
		return this.size.get();
	}

	/**
	 * Remove the oldest clients. One that takes more from now on is queued again.
	 * @param most the largest number of them
	 */
	List<PooledSubject> next(int most) {
		List<PooledSubject> batch = new ArrayList<>();
		while (batch.size() < most) {
			PooledSubject subject = this.queue.poll();
			if (subject == null) {
				break;
			}
			this.queued.remove(subject);
			this.size.decrementAndGet();
			batch.add(subject);
		}
		return batch;
	}

}

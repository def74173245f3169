package dev.ratelimit.store.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;

/**
 * The exchanges of a node that wait to be sent, in the order of arrival. Those that are
 * large or costly wait beside the others, so usual ones pass them, but no lighter one
 * passes a heavier one. Used by any number of threads. Tested by {@code BatchSlotsTests}.
 */
final class NodeQueue {

	/**
	 * The weight of one batch at most, and of all costly exchanges that are under way.
	 */
	static final int MOST_WEIGHT = 64;

	private final int most;

	private final int mostLarge;

	private final Queue<Exchange> usual = new ConcurrentLinkedQueue<>();

	/** Large or costly ones. */
	private final Queue<Exchange> heavy = new ConcurrentLinkedQueue<>();

	/** At least the size of both queues, which is costly to count. */
	private final AtomicInteger count = new AtomicInteger();

	private int costlyUnderWay;

	private int largeUnderWay;

	/**
	 * Create an empty queue.
	 * @param most how many may wait
	 * @param mostLarge how many may be under way that do not fit into a send buffer
	 */
	NodeQueue(int most, int mostLarge) {
		this.most = most;
		this.mostLarge = mostLarge;
	}

	/** The number of those that wait; may be slightly high while some join or leave. */
	int count() {
		return this.count.get();
	}

	/**
	 * Add an exchange.
	 * @return whether it was added; else too many wait
	 */
	boolean add(Exchange exchange) {
		if (this.count.incrementAndGet() > this.most) {
			this.count.decrementAndGet();
			return false;
		}
		boolean added = false;
		try {
			added = queueOf(exchange).add(exchange);
		}
		finally {
			if (!added) {
				this.count.decrementAndGet();
			}
		}
		return added;
	}

	private Queue<Exchange> queueOf(Exchange exchange) {
		return isHeavy(exchange) ? this.heavy : this.usual;
	}

	private static boolean isHeavy(Exchange exchange) {
		return exchange.isLarge() || exchange.isCostly();
	}

	/** Remove an exchange, if it is still here. */
	void remove(Exchange exchange) {
		if (queueOf(exchange).remove(exchange)) {
			this.count.decrementAndGet();
		}
	}

	/** Remove the one that has waited longest, or return {@code null} if none waits. */
	@Nullable Exchange poll() {
		Exchange next = poll(this.usual);
		return (next != null) ? next : poll(this.heavy);
	}

	private @Nullable Exchange poll(Queue<Exchange> queue) {
		Exchange next = queue.poll();
		if (next != null) {
			this.count.decrementAndGet();
		}
		return next;
	}

	/** Whether one waits that may be sent now. */
	boolean isReady() {
		return !this.usual.isEmpty() || isHeavyReady(false);
	}

	/** Whether a large one may be sent now, which needs a thread that may wait. */
	boolean isLargeReady() {
		return isHeavyReady(true);
	}

	/** Locks nothing where none waits, as it is asked for each batch. */
	private boolean isHeavyReady(boolean large) {
		if (this.heavy.isEmpty()) {
			return false;
		}
		synchronized (this) {
			Exchange next = this.heavy.peek();
			return next != null && (!large || next.isLarge()) && hasRoom(next);
		}
	}

	private boolean hasRoom(Exchange heavy) {
		return this.costlyUnderWay + costlyWeight(heavy) <= MOST_WEIGHT
				&& (!heavy.isLarge() || this.largeUnderWay < this.mostLarge);
	}

	private static int costlyWeight(Exchange heavy) {
		return heavy.isCostly() ? Math.min(heavy.weight(), MOST_WEIGHT) : 0;
	}

	/**
	 * Take those that have waited longest, as many as one batch carries.
	 * @param mayBlock whether the thread that writes them may wait for the server to
	 * read. Then a large one may come, which has a batch of its own
	 * @return the batch, whose exchanges count as sent; empty if none may be sent now
	 */
	List<Exchange> take(boolean mayBlock) {
		// It does not grow: an exchange that counts as sent must not be lost for memory.
		int room = Math.min(MOST_WEIGHT, this.count.get());
		List<Exchange> batch = new ArrayList<>(room);
		int weight = this.heavy.isEmpty() ? 0 : takeHeavy(batch, room, mayBlock);
		int bytes = 0;
		for (int i = 0; i < batch.size(); i++) {
			bytes += batch.get(i).bytes();
		}
		while (batch.size() < room && weight < MOST_WEIGHT && bytes < Exchange.MOST_BYTES) {
			Exchange next = poll(this.usual);
			if (next == null) {
				break;
			}
			if (next.send()) {
				batch.add(next);
				weight += next.weight();
				bytes += next.bytes();
			}
		}
		return batch;
	}

	private synchronized int takeHeavy(List<Exchange> batch, int room, boolean mayBlock) {
		int weight = 0;
		int bytes = 0;
		for (Exchange next = this.heavy.peek(); next != null && hasRoom(next); next = this.heavy.peek()) {
			if (batch.size() == room || bytes >= Exchange.MOST_BYTES
					|| (next.isLarge() && (!mayBlock || !batch.isEmpty()))) {
				break;
			}
			poll(this.heavy);
			if (next.send()) {
				batch.add(next);
				weight += next.weight();
				bytes += next.bytes();
				count(next, 1);
				if (next.isLarge()) {
					break;
				}
			}
		}
		return weight;
	}

	private void count(Exchange heavy, int sign) {
		this.costlyUnderWay += sign * costlyWeight(heavy);
		this.largeUnderWay += heavy.isLarge() ? sign : 0;
	}

	/** A batch is no longer under way, which makes room for other heavy ones. */
	void ended(List<Exchange> batch) {
		for (int i = 0; i < batch.size() && isHeavy(batch.get(i)); i++) {
			synchronized (this) {
				count(batch.get(i), -1);
			}
		}
	}

}

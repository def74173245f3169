package dev.ratelimit.queue.worker;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueueStatus;

/**
 * Stores the queue status that this instance read last, so that reading it needs no call
 * of the store.
 */
public final class QueueStatusBoard implements QueueListener {

	private final Map<String, QueueStatus> statuses = new ConcurrentHashMap<>();

	private final Predicate<String> enqueues;

	/**
	 * Create an empty board.
	 * @param enqueues whether a rule enqueues requests by now; others are left out
	 */
	public QueueStatusBoard(Predicate<String> enqueues) {
		this.enqueues = enqueues;
	}

	/**
	 * The number of dead letters.
	 * @return their number, of all rules that enqueue requests
	 */
	public long dead() {
		return this.statuses.entrySet()
			.stream()
			.filter((status) -> this.enqueues.test(status.getKey()))
			.mapToLong((status) -> status.getValue().dead())
			.sum();
	}

	@Override
	public void seen(String rule, QueueStatus status) {
		this.statuses.put(rule, status);
	}

}

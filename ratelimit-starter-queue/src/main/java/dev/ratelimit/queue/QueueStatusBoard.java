package dev.ratelimit.queue;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

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

	/**
	 * The number of dead letters of a rule.
	 * @param rule the id of the rule
	 * @return their number, 0 if this instance has read none
	 */
	public long dead(String rule) {
		return of(rule, QueueStatus::dead);
	}

	/**
	 * The number of queued requests of a rule.
	 * @param rule the id of the rule
	 * @return their number, 0 if this instance has read none
	 */
	public long queued(String rule) {
		return of(rule, QueueStatus::queued);
	}

	private long of(String rule, ToLongFunction<QueueStatus> number) {
		QueueStatus status = this.statuses.get(rule);
		return (status != null) ? number.applyAsLong(status) : 0;
	}

	@Override
	public void seen(String rule, QueueStatus status) {
		this.statuses.put(rule, status);
	}

}

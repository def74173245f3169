package dev.ratelimit.queue.worker;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueueStatus;

/**
 * What this instance saw last of the queues, so that nobody who looks has to ask the
 * store.
 */
public final class QueueStatusBoard implements QueueListener {

	private final Map<String, QueueStatus> statuses = new ConcurrentHashMap<>();

	/**
	 * How many dead letters there are.
	 * @return their number, of all rules
	 */
	public long dead() {
		return this.statuses.values().stream().mapToLong(QueueStatus::dead).sum();
	}

	@Override
	public void seen(String rule, QueueStatus status) {
		this.statuses.put(rule, status);
	}

	@Override
	public void handedOver(String rule, Duration age) {
		// The next sight tells what is left.
	}

	@Override
	public void handled(String rule, HandlingResult outcome) {
		// The next sight tells what is left.
	}

}

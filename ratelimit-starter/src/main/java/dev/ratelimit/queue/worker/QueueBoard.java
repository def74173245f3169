package dev.ratelimit.queue.worker;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import dev.ratelimit.queue.QueueListener;
import dev.ratelimit.queue.QueueSight;

/**
 * What this instance saw last of the queues, so that nobody who looks has to ask the
 * store.
 */
public final class QueueBoard implements QueueListener {

	private final Map<String, QueueSight> sights = new ConcurrentHashMap<>();

	/**
	 * How many dead letters there are.
	 * @return their number, of all rules
	 */
	public long dead() {
		return this.sights.values().stream().mapToLong(QueueSight::dead).sum();
	}

	@Override
	public void sighted(String rule, QueueSight sight) {
		this.sights.put(rule, sight);
	}

	@Override
	public void handedOver(String rule, Duration age) {
		// The next sight tells what is left.
	}

	@Override
	public void handled(String rule, Outcome outcome) {
		// The next sight tells what is left.
	}

}

package dev.ratelimit.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * An item that was leased to a worker, which has it until its lease expires.
 *
 * @param subject the subject that it belongs to
 * @param id its id
 * @param token the unique name of this lease
 * @param attempt the number of this lease, from 1; leases that ended without counting as
 * an attempt are not counted
 * @param age how long it has been queued
 * @param enqueuedAt when it was enqueued, on the store's clock
 * @param fields the fields of the item
 */
public record LeasedItem(QueuedSubject subject, String id, String token, int attempt, Duration age, Instant enqueuedAt,
		Map<String, byte[]> fields) {

	public LeasedItem {
		fields = Map.copyOf(fields);
	}

}

package dev.ratelimit.queue;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * An item that was handed to a worker, which has it until its lease is over.
 *
 * @param of whose it is
 * @param id its id
 * @param token the name of this hand-out, which no other one has
 * @param attempt which hand-out this is, from 1; those that were taken back uncounted are
 * not counted
 * @param age how long it has been kept
 * @param enqueuedAt when it came, on the store's clock
 * @param fields what it is made of
 */
public record LeasedItem(QueuedSubject of, String id, String token, int attempt, Duration age, Instant enqueuedAt,
		Map<String, byte[]> fields) {

	public LeasedItem {
		fields = Map.copyOf(fields);
	}

}

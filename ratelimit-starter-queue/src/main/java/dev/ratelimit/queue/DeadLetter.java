package dev.ratelimit.queue;

import java.time.Instant;

/**
 * An item that will not be retried.
 *
 * @param subject the subject that it belonged to
 * @param entry the entry under which it is stored
 * @param id its id
 * @param reason why it became a dead letter
 * @param attempts how often it was leased
 * @param enqueuedAt when it was enqueued, on the store's clock
 */
public record DeadLetter(QueuedSubject subject, String entry, String id, String reason, int attempts,
		Instant enqueuedAt) {
}

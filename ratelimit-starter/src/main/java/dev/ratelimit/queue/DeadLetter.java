package dev.ratelimit.queue;

import java.time.Instant;

/**
 * An item that will not be tried again.
 *
 * @param of whose it was
 * @param entry where it is kept
 * @param id its id
 * @param reason why it died
 * @param attempts how often it was handed out
 * @param enqueuedAt when it came, on the store's clock
 */
public record DeadLetter(QueuedSubject of, String entry, String id, String reason, int attempts, Instant enqueuedAt) {
}

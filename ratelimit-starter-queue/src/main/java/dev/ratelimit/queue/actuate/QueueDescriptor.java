package dev.ratelimit.queue.actuate;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The enqueued requests of a rule, over all instances.
 *
 * @param queued the number of enqueued requests, including those being handled
 * @param dead the number of dead letters
 * @param oldestAge the age of the oldest request
 * @param deadLetters the dead letters, the oldest first, twenty at most
 */
public record QueueDescriptor(long queued, long dead, Duration oldestAge, List<LetterDescriptor> deadLetters) {

	public QueueDescriptor {
		deadLetters = List.copyOf(deadLetters);
	}

	/**
	 * A dead letter: a request that is not retried any more.
	 *
	 * @param id its id
	 * @param client the hash of the client
	 * @param reason the reason
	 * @param attempts the number of attempts
	 * @param enqueuedAt the time at which it was enqueued
	 */
	public record LetterDescriptor(String id, String client, String reason, int attempts, Instant enqueuedAt) {
	}

}

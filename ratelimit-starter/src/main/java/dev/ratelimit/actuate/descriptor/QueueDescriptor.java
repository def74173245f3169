package dev.ratelimit.actuate.descriptor;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The requests that a rule keeps for later, over all instances.
 *
 * @param queued how many are kept, those that are being handled included
 * @param dead how many were given up
 * @param oldestAge how long the oldest request has been kept
 * @param deadLetters those that were given up, the oldest first, twenty at most
 */
public record QueueDescriptor(long queued, long dead, Duration oldestAge, List<LetterDescriptor> deadLetters) {

	public QueueDescriptor {
		deadLetters = List.copyOf(deadLetters);
	}

	/**
	 * A request that was given up.
	 *
	 * @param id its id
	 * @param client the hash that stands for the client
	 * @param reason why
	 * @param attempts how often it was tried
	 * @param enqueuedAt when it came
	 */
	public record LetterDescriptor(String id, String client, String reason, int attempts, Instant enqueuedAt) {
	}

}

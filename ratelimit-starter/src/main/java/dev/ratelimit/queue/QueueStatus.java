package dev.ratelimit.queue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A look at the queue of a rule.
 *
 * @param due subjects with an item to be handed out, those that have waited longest first
 * @param untilNext when there will be another such subject, zero if there is one; empty
 * where there are no more
 * @param queued how many items are kept, those that workers have included
 * @param dead how many dead letters there are
 * @param oldestAge how long the oldest item has been kept; zero where there is none
 */
public record QueueStatus(List<String> due, Optional<Duration> untilNext, long queued, long dead, Duration oldestAge) {

	public QueueStatus {
		due = List.copyOf(due);
	}

}

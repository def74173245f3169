package dev.ratelimit.queue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The status of a rule's queue.
 *
 * @param due subjects with an item to be leased, those that have waited longest first
 * @param untilNext when there will be another such subject, zero if there is one; empty
 * if there are no more
 * @param queued how many items are queued, including those that workers have
 * @param dead how many dead letters there are
 * @param oldestAge how long the oldest item has been queued; zero if there is none
 */
public record QueueStatus(List<String> due, Optional<Duration> untilNext, long queued, long dead, Duration oldestAge) {

	public QueueStatus {
		due = List.copyOf(due);
	}

}

package dev.ratelimit.queue.worker;

import java.time.Duration;

/**
 * How queued requests are handled.
 *
 * @param workers how many of each rule are handled at the same time by this instance; at
 * least 1
 * @param lease how long an instance that no longer reports keeps a request from the
 * others
 * @param maxTries after how many attempts a request becomes a dead letter; at least 1
 * @param backoff how long until the second attempt; each further one takes twice as long
 * @param maxBackoff how long until the next attempt at most
 * @param keepState how long the state of a request can be queried after its end
 * @param keepDead how long dead letters are stored after the last of them was added
 */
public record QueueSettings(int workers, Duration lease, int maxTries, Duration backoff, Duration maxBackoff,
		Duration keepState, Duration keepDead) {

	private static final int MOST_DOUBLINGS = 30;

	/** How long until the next attempt. */
	Duration backoffAfter(int attempt) {
		Duration wait = this.backoff.multipliedBy(1L << Math.min(attempt - 1, MOST_DOUBLINGS));
		return (wait.compareTo(this.maxBackoff) < 0) ? wait : this.maxBackoff;
	}

}

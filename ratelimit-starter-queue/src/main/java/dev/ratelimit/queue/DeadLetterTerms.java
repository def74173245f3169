package dev.ratelimit.queue;

import java.time.Duration;

/**
 * How an item that will not be retried is stored.
 *
 * @param reason why it is not retried: a fixed word of ours
 * @param mostKept how many dead letters of its rule are stored; the oldest are removed
 * first
 * @param mostBytes how much memory of the store they may take, not counting the newest
 * @param keptFor how long they are stored after the last of them was added
 */
public record DeadLetterTerms(String reason, int mostKept, long mostBytes, Duration keptFor) {
}

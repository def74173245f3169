package dev.ratelimit.queue;

import java.time.Duration;

/**
 * What becomes of an item that will not be tried again.
 *
 * @param reason why: a word of ours
 * @param mostKept how many dead letters of its rule are kept; the oldest go first
 * @param mostBytes how much memory of the store they may take, but for the newest
 * @param keptFor how long they are kept after the last of them came
 */
public record DeadLetterTerms(String reason, int mostKept, long mostBytes, Duration keptFor) {
}

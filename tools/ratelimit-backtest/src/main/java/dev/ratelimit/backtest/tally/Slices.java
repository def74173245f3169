package dev.ratelimit.backtest.tally;

import java.time.Instant;

/**
 * The slices of the time of a log.
 *
 * @param start when the first slice begins: a multiple of their length
 * @param seconds the length of each slice
 * @param count the number of slices
 */
public record Slices(Instant start, long seconds, int count) {
}

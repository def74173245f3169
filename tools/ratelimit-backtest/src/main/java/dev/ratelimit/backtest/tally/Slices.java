package dev.ratelimit.backtest.tally;

import java.time.Instant;

/**
 * What the time of a log was cut into.
 *
 * @param start when the first slice begins: a multiple of their length
 * @param seconds how long each of them is
 * @param count how many there are
 */
public record Slices(Instant start, long seconds, int count) {
}

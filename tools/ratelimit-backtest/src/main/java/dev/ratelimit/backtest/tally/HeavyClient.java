package dev.ratelimit.backtest.tally;

/**
 * A client that a rule refused often.
 *
 * @param client its key, with a question mark for each unprintable character
 * @param refused the number of its requests that the rule refused
 * @param overcountAtMost the most by which that number may be too high, because not every
 * client has its own counter
 */
public record HeavyClient(String client, long refused, long overcountAtMost) {
}

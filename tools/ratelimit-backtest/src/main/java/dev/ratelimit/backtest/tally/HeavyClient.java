package dev.ratelimit.backtest.tally;

/**
 * A client that a rule refused often.
 *
 * @param client its key, with a question mark in place of what cannot be printed
 * @param refused how many of its requests the rule refused
 * @param overcountAtMost by how much that may be too many, as not every client has its
 * own counter
 */
public record HeavyClient(String client, long refused, long overcountAtMost) {
}

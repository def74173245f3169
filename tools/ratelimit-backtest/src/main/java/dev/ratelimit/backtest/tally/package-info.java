/**
 * Counts the results of a replay, in memory that does not grow with the log.
 */
@NullMarked
package dev.ratelimit.backtest.tally;

import org.jspecify.annotations.NullMarked;

/**
 * Rules as production has them, and requests of which only a line of a log is left.
 */
@NullMarked
package dev.ratelimit.backtest.replay;

import org.jspecify.annotations.NullMarked;

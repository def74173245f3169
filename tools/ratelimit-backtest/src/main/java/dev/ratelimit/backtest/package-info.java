/**
 * The backtest command: reports what the given rules would have refused in an access log.
 */
@NullMarked
package dev.ratelimit.backtest;

import org.jspecify.annotations.NullMarked;

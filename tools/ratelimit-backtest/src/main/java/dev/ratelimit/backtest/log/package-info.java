/**
 * Reads access logs line by line in constant memory.
 */
@NullMarked
package dev.ratelimit.backtest.log;

import org.jspecify.annotations.NullMarked;

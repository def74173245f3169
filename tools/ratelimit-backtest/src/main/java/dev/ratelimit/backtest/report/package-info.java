/**
 * What came out, for people and for programs.
 */
@NullMarked
package dev.ratelimit.backtest.report;

import org.jspecify.annotations.NullMarked;

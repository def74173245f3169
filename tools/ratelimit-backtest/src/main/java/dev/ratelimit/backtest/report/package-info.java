/**
 * Reports of the results, as text and as JSON.
 */
@NullMarked
package dev.ratelimit.backtest.report;

import org.jspecify.annotations.NullMarked;

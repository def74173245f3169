/**
 * Replays logged requests through the rules as in production.
 */
@NullMarked
package dev.ratelimit.backtest.replay;

import org.jspecify.annotations.NullMarked;

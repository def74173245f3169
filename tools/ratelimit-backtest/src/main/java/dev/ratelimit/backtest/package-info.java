/**
 * The command: what an access log says that rules would have refused.
 */
@NullMarked
package dev.ratelimit.backtest;

import org.jspecify.annotations.NullMarked;

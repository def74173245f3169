/**
 * The decision: what the rules request, what the store returns, and what follows when it
 * fails.
 */
@NullMarked
package dev.ratelimit.limiter;

import org.jspecify.annotations.NullMarked;

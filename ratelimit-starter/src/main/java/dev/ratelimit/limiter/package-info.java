/**
 * The decision: what the rules ask, what the store found, and what follows when it found
 * nothing.
 */
@NullMarked
package dev.ratelimit.limiter;

import org.jspecify.annotations.NullMarked;

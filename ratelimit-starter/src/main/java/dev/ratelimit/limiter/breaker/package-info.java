/**
 * Keeps a store that is away from costing every request its deadline.
 */
@NullMarked
package dev.ratelimit.limiter.breaker;

import org.jspecify.annotations.NullMarked;

/**
 * Decisions without the store: cached refusals, and this instance's share of a limit by
 * the number of instances.
 */
@NullMarked
package dev.ratelimit.limiter.outage;

import org.jspecify.annotations.NullMarked;

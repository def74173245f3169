/**
 * Decisions without a call of the store. At any time: refusals that are repeated from
 * memory, and the rules whose refusals are final. During an outage: this instance's share
 * of a limit.
 */
@NullMarked
package dev.ratelimit.limiter.outage;

import org.jspecify.annotations.NullMarked;

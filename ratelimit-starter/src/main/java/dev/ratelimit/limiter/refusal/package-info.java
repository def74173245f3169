/**
 * Refusals that are repeated from memory, and the rules whose refusals are final.
 */
@NullMarked
package dev.ratelimit.limiter.refusal;

import org.jspecify.annotations.NullMarked;

/**
 * Repeats refusals from memory for as long as they surely hold.
 */
@NullMarked
package dev.ratelimit.limiter.deny;

import org.jspecify.annotations.NullMarked;

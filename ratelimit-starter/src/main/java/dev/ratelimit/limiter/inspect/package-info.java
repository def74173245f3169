/**
 * Looks at what is counted for single clients, for operators.
 */
@NullMarked
package dev.ratelimit.limiter.inspect;

import org.jspecify.annotations.NullMarked;

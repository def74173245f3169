/**
 * Permits that are reserved ahead in the store and spent on this instance.
 */
@NullMarked
package dev.ratelimit.limiter.lease;

import org.jspecify.annotations.NullMarked;

/**
 * Permits that are reserved in the store ahead and spent on this instance.
 */
@NullMarked
package dev.ratelimit.limiter.lease;

import org.jspecify.annotations.NullMarked;

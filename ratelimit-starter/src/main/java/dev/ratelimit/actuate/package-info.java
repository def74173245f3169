/**
 * The endpoint and the health of the rate limiter.
 */
@NullMarked
package dev.ratelimit.actuate;

import org.jspecify.annotations.NullMarked;

/**
 * An application that already has a limiter.
 */
@NullMarked
package dev.ratelimit.harm;

import org.jspecify.annotations.NullMarked;

/**
 * Which part of a limit this instance admits while it decides alone.
 */
@NullMarked
package dev.ratelimit.limiter.share;

import org.jspecify.annotations.NullMarked;

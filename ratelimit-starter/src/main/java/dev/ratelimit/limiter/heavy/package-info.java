/**
 * Who asks most, in constant memory.
 */
@NullMarked
package dev.ratelimit.limiter.heavy;

import org.jspecify.annotations.NullMarked;

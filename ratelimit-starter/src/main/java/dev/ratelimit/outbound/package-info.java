/**
 * Rate limits for outbound calls.
 */
@NullMarked
package dev.ratelimit.outbound;

import org.jspecify.annotations.NullMarked;

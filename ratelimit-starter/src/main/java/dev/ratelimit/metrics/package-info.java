/**
 * Decisions counted with Micrometer.
 */
@NullMarked
package dev.ratelimit.metrics;

import org.jspecify.annotations.NullMarked;

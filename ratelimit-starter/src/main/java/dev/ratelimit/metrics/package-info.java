/**
 * Micrometer metrics of rate limiting.
 */
@NullMarked
package dev.ratelimit.metrics;

import org.jspecify.annotations.NullMarked;

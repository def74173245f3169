/**
 * Measures how fast the limiter is, compared with its peers and with the lowest possible
 * cost.
 */
@NullMarked
package dev.ratelimit.benchmarks;

import org.jspecify.annotations.NullMarked;

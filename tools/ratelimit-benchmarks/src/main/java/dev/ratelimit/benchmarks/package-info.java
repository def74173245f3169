/**
 * How fast the limiter is, side by side with its peers and with what cannot be undercut.
 */
@NullMarked
package dev.ratelimit.benchmarks;

import org.jspecify.annotations.NullMarked;

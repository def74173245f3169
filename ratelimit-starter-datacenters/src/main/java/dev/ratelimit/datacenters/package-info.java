/**
 * Limits that several data centres share: each decides in its own Redis, and reports to
 * the others what it has taken.
 */
@NullMarked
package dev.ratelimit.datacenters;

import org.jspecify.annotations.NullMarked;

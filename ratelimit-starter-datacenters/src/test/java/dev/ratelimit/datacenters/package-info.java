/**
 * The protocol of one limit for several data centres, as a specification: the twin of its
 * scripts, and a search over all its schedules.
 */
@NullMarked
package dev.ratelimit.datacenters;

import org.jspecify.annotations.NullMarked;

/**
 * Applications that the playground starts on demand, in its own process: two more
 * instances on the same Redis Cluster, and two data centres with a line between them that
 * can be cut.
 */
@NullMarked
package dev.ratelimit.sample.applications;

import org.jspecify.annotations.NullMarked;

/**
 * Real {@code redis-server} processes, single or as a cluster, that end with this JVM.
 */
@NullMarked
package dev.ratelimit.embeddedredis;

import org.jspecify.annotations.NullMarked;

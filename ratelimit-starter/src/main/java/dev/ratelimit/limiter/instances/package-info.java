/**
 * The live instances of the application, and the share of a limit that each has during an
 * outage of the store.
 */
@NullMarked
package dev.ratelimit.limiter.instances;

import org.jspecify.annotations.NullMarked;

/**
 * How the store is doing: every call is watched, and trouble is told when it begins and
 * when it is over.
 */
@NullMarked
package dev.ratelimit.limiter.watch;

import org.jspecify.annotations.NullMarked;

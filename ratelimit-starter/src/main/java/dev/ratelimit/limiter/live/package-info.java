/**
 * The rules in force, and their replacement while requests come.
 */
@NullMarked
package dev.ratelimit.limiter.live;

import org.jspecify.annotations.NullMarked;

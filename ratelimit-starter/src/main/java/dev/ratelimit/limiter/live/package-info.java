/**
 * The rules in force, and their replacement while requests are served.
 */
@NullMarked
package dev.ratelimit.limiter.live;

import org.jspecify.annotations.NullMarked;

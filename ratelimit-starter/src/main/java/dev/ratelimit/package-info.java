/**
 * What applications use: the limiter that they may call, its decisions, and the
 * annotation.
 */
@NullMarked
package dev.ratelimit;

import org.jspecify.annotations.NullMarked;

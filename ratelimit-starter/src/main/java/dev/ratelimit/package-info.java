/**
 * The words an application speaks: the limiter it may call, and the decision it gets.
 */
@NullMarked
package dev.ratelimit;

import org.jspecify.annotations.NullMarked;

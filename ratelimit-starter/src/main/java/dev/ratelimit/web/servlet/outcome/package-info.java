/**
 * Determines the outcome of an HTTP request before the client receives it.
 */
@NullMarked
package dev.ratelimit.web.servlet.outcome;

import org.jspecify.annotations.NullMarked;

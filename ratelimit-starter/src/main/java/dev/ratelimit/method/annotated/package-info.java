/**
 * Finds {@link dev.ratelimit.RateLimited} annotations, and the rules declared in them.
 */
@NullMarked
package dev.ratelimit.method.annotated;

import org.jspecify.annotations.NullMarked;

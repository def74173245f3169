/**
 * Where {@link dev.ratelimit.RateLimited} stands, and the rules that are written there.
 */
@NullMarked
package dev.ratelimit.method.annotated;

import org.jspecify.annotations.NullMarked;

/**
 * Where the permits of a request come from, and what all sources share: a slot per
 * request, the permits in it, and the windows of its result.
 */
@NullMarked
package dev.ratelimit.limiter.source;

import org.jspecify.annotations.NullMarked;

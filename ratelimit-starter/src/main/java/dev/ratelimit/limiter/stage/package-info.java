/**
 * What the stages of a decision share: a slot per request, the permits in it, and the
 * windows of its result.
 */
@NullMarked
package dev.ratelimit.limiter.stage;

import org.jspecify.annotations.NullMarked;

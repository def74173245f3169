/**
 * What the stages of a decision share: a slot per request, and the permits in it.
 */
@NullMarked
package dev.ratelimit.limiter.stage;

import org.jspecify.annotations.NullMarked;

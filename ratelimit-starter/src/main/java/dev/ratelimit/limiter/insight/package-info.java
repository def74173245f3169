/**
 * What an operator wants to know of each rule: who asks most, and whether its thresholds
 * are right.
 */
@NullMarked
package dev.ratelimit.limiter.insight;

import org.jspecify.annotations.NullMarked;

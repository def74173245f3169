/**
 * Rules and their thresholds, as immutable values that validate themselves.
 */
@NullMarked
package dev.ratelimit.rule;

import org.jspecify.annotations.NullMarked;

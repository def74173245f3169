/**
 * Finds settings of rules that are allowed but pointless, expensive or dangerous.
 */
@NullMarked
package dev.ratelimit.rule.lint;

import org.jspecify.annotations.NullMarked;

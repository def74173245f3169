/**
 * Finds in rules what is allowed but pointless, dear or dangerous.
 */
@NullMarked
package dev.ratelimit.rule.lint;

import org.jspecify.annotations.NullMarked;

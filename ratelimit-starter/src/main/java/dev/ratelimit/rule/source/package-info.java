/**
 * Reads rules from property sources, and names every mistake.
 */
@NullMarked
package dev.ratelimit.rule.source;

import org.jspecify.annotations.NullMarked;

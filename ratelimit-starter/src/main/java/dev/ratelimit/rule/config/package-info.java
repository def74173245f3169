/**
 * Reads rules from property sources, and names every mistake.
 */
@NullMarked
package dev.ratelimit.rule.config;

import org.jspecify.annotations.NullMarked;

/**
 * Rules read from property sources, with every mistake named.
 */
@NullMarked
package dev.ratelimit.rule.source;

import org.jspecify.annotations.NullMarked;

/**
 * Rules in a file and in a table, and when to look at them again.
 */
@NullMarked
package dev.ratelimit.rule.place;

import org.jspecify.annotations.NullMarked;

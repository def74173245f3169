/**
 * Prints the output of failed tests.
 */
@NullMarked
package dev.ratelimit.testlog;

import org.jspecify.annotations.NullMarked;

/**
 * Support for the tests of an application: its rate limits without Redis, on a clock that
 * the test moves.
 */
@NullMarked
package dev.ratelimit.test;

import org.jspecify.annotations.NullMarked;

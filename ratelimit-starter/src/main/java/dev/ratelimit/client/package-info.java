/**
 * Calls that go out, put under a rule.
 */
@NullMarked
package dev.ratelimit.client;

import org.jspecify.annotations.NullMarked;

/**
 * What a module of the limiter implements, and what it may use besides the root package,
 * the rules and the store.
 */
@NullMarked
package dev.ratelimit.spi;

import org.jspecify.annotations.NullMarked;

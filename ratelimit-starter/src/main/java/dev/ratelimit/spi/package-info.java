/**
 * What a module of the limiter may use besides the root package, the rules and the store:
 * it registers its settings and keys, checks its settings, and runs scripts.
 */
@NullMarked
package dev.ratelimit.spi;

import org.jspecify.annotations.NullMarked;

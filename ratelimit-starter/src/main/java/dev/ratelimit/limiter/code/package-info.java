/**
 * Limiters that code makes, without a configured rule.
 */
@NullMarked
package dev.ratelimit.limiter.code;

import org.jspecify.annotations.NullMarked;

/**
 * The active rules, their replacement while requests are served, and limiters that code
 * makes without a configured rule.
 */
@NullMarked
package dev.ratelimit.limiter.rules;

import org.jspecify.annotations.NullMarked;

package dev.ratelimit.limiter;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.RateLimitStore;

/**
 * Something taken from a store that may have to be given back.
 *
 * @param rule the rule it was taken for
 * @param store where it was taken
 * @param taken what was taken
 */
public record Permit(RLConfig rule, RateLimitStore store, AcquiredPermits taken) {
}

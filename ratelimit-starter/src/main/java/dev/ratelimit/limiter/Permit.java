package dev.ratelimit.limiter;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.RateLimitStore;

/**
 * Permits acquired from a store that may have to be released.
 *
 * @param rule the rule they were acquired for
 * @param store the store they were acquired from
 * @param taken the permits
 */
public record Permit(RLConfig rule, RateLimitStore store, AcquiredPermits taken) {
}

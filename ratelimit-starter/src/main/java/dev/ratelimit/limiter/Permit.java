package dev.ratelimit.limiter;

import dev.ratelimit.limiter.source.PermitOwner;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquiredPermits;

/**
 * Acquired permits that may have to be released.
 *
 * @param rule the rule they were acquired for
 * @param owner releases them
 * @param taken the permits
 */
public record Permit(RLConfig rule, PermitOwner owner, AcquiredPermits taken) {
}

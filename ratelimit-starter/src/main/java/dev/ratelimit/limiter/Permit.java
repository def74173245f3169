package dev.ratelimit.limiter;

import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Taken;

/**
 * Something taken from a store that may have to be given back.
 *
 * @param rule the rule it was taken for
 * @param store where it was taken
 * @param taken what was taken
 */
public record Permit(RLConfig rule, RateLimitStore store, Taken taken) {
}

package dev.ratelimit.limiter;

import dev.ratelimit.store.Subject;

/**
 * A rule that applies to a request, and whom it counts.
 *
 * @param rule the rule
 * @param allowance what it allows the one who asks
 * @param subject who is counted
 * @param cost how many permits the request costs; at least 1
 */
public record Ask(CompiledRule rule, CompiledAllowance allowance, Subject subject, long cost) {
}

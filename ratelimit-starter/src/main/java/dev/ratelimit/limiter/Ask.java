package dev.ratelimit.limiter;

import dev.ratelimit.store.Subject;

/**
 * A rule that applies to a request, and whom it counts.
 *
 * @param rule the rule
 * @param subject who is counted
 * @param cost how many permits the request costs; at least 1
 */
public record Ask(CompiledRule rule, Subject subject, long cost) {
}

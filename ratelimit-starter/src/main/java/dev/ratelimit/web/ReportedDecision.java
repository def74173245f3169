package dev.ratelimit.web;

import dev.ratelimit.RateLimitDecision;

/**
 * A decision that is reported to the client.
 *
 * @param policyField its items in {@code RateLimit-Policy}
 * @param decision the decision
 * @param cost what the request costs by that rule
 */
public record ReportedDecision(String policyField, RateLimitDecision decision, long cost) {
}

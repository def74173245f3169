package dev.ratelimit.web;

import dev.ratelimit.RateLimitDecision;

/**
 * A decision that a client hears of.
 *
 * @param policyField its items in {@code RateLimit-Policy}
 * @param decision the decision
 * @param cost what the request costs there
 */
public record Answered(String policyField, RateLimitDecision decision, long cost) {
}

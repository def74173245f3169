package dev.ratelimit.web;

import dev.ratelimit.RateLimitDecision;

/**
 * A decision that a client hears of.
 *
 * @param policyField its items in {@code RateLimit-Policy}
 * @param decision the decision
 */
record Answered(String policyField, RateLimitDecision decision) {
}

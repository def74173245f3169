package dev.ratelimit.web;

import dev.ratelimit.RateLimitDecision;

/**
 * A decision and the rule it is of.
 *
 * @param route the rule
 * @param decision what it decided
 */
record Answered(Route route, RateLimitDecision decision) {
}

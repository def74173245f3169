package dev.ratelimit.web;

import dev.ratelimit.limiter.RequestDecision;
import dev.ratelimit.limiter.RuleDecision;
import dev.ratelimit.spi.LaterHandler.LaterRequest;

/**
 * An attempt to have a request handled later. Its end is {@link RequestDecider#refuse} or
 * {@link RequestDecider#answer}.
 *
 * @param request the request
 * @param exhausted the decision of the rule that has no permits for it
 * @param decision the decision of all rules whose requests are handled later
 * @param nanos how long that took
 */
public record LaterAttempt(LaterRequest request, RuleDecision exhausted, RequestDecision decision, long nanos) {
}

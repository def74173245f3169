package dev.ratelimit.limiter.remote;

import java.time.Duration;

/**
 * Published when the store answers again and has left nothing unanswered for ten seconds:
 * once for each {@link RateLimitStoreDegradedEvent}, on the same thread.
 *
 * @param store the name of the store, without credentials
 * @param lasted the time from the first question without an answer to the last
 * @param unanswered how many questions went unanswered
 */
public record RateLimitStoreRecoveredEvent(String store, Duration lasted, long unanswered) {
}

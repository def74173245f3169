package dev.ratelimit.limiter.health;

import java.time.Duration;

/**
 * Published when the store responds again and has left no request unanswered for ten
 * seconds: once for each {@link RateLimitStoreDegradedEvent}, on the same thread.
 *
 * @param store the name of the store, without credentials
 * @param lasted the time from the first unanswered request to the last
 * @param unanswered how many requests were unanswered
 */
public record RateLimitStoreRecoveredEvent(String store, Duration lasted, long unanswered) {
}

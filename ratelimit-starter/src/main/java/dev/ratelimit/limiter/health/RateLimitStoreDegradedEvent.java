package dev.ratelimit.limiter.health;

import dev.ratelimit.store.StoreFailure;

/**
 * Published within about a second when the store begins to leave requests unanswered, so
 * that each rule follows its {@code on-store-failure}. It is published once, on a thread
 * that does nothing but notify listeners of events, one after the other.
 *
 * @param store the name of the store, without credentials
 * @param reason why the store does not respond
 */
public record RateLimitStoreDegradedEvent(String store, StoreFailure reason) {
}

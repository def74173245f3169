package dev.ratelimit.limiter.remote;

import dev.ratelimit.store.StoreFailure;

/**
 * Published, within about a second, when the store begins to leave questions unanswered,
 * so that each rule follows its {@code on-store-failure}. It is published once, on a
 * background thread of the limiter: a listener that takes its time belongs on another.
 *
 * @param store the name of the store, without credentials
 * @param reason why it does not answer
 */
public record RateLimitStoreDegradedEvent(String store, StoreFailure reason) {
}

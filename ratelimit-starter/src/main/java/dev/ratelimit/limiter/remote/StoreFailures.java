package dev.ratelimit.limiter.remote;

import java.time.Duration;

import dev.ratelimit.store.StoreFailure;

/**
 * The failures of the store in the current outage.
 *
 * @param reason why the store did not respond to its last failed call
 * @param notPermitted whether a part of the store has recently refused the credentials or
 * rights of the limiter, which does not resolve by itself
 * @param unanswered how many requests were unanswered
 * @param lasting the time from the first of them to the last
 */
public record StoreFailures(StoreFailure reason, boolean notPermitted, long unanswered, Duration lasting) {
}

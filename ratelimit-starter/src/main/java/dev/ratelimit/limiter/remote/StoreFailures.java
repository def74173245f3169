package dev.ratelimit.limiter.remote;

import java.time.Duration;

import dev.ratelimit.store.StoreFailure;

/**
 * What is wrong with the store.
 *
 * @param reason why it did not answer when it was last asked
 * @param notPermitted whether some of it has lately refused the credentials or rights of
 * the limiter, which does not pass by itself
 * @param unanswered how many questions have gone unanswered
 * @param lasting the time from the first of them to the last
 */
public record StoreFailures(StoreFailure reason, boolean notPermitted, long unanswered, Duration lasting) {
}

package dev.ratelimit.limiter.insight;

import java.util.Optional;

import dev.ratelimit.store.StoreFailure;

/**
 * What came of an attempt to forget a client.
 *
 * @param failure why the store may still remember it; nothing if it does not
 */
public record Reset(Optional<StoreFailure> failure) {
}

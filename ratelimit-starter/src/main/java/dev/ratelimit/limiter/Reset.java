package dev.ratelimit.limiter;

import java.util.Optional;

import dev.ratelimit.store.StoreFailure;

/**
 * The outcome of an attempt to reset a client.
 *
 * @param failure why the store may still count the client; empty if it does not
 */
public record Reset(Optional<StoreFailure> failure) {
}

package dev.ratelimit.limiter;

import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.Taken;

/**
 * Something taken from a store that may have to be given back.
 *
 * @param store where it was taken
 * @param taken what was taken
 */
public record Permit(RateLimitStore store, Taken taken) {
}

package dev.ratelimit.limiter;

import dev.ratelimit.store.Question;
import dev.ratelimit.store.RateLimitStore;

/**
 * Something taken from a store that may have to be given back.
 *
 * @param store where it was taken
 * @param question what was asked
 */
public record Permit(RateLimitStore store, Question question) {
}

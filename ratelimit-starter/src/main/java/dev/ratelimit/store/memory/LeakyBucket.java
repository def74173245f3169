package dev.ratelimit.store.memory;

import dev.ratelimit.store.Limit;

/**
 * The leaky buckets of one rule and subject, as meters. Every admission pours its cost
 * in, the threshold leaks out evenly per window, and a request that would make a bucket
 * overflow is refused. A bucket holds {@link Limit#capacity} permits, so in any time
 * {@code t} at most {@code capacity + t * threshold / window} are admitted, exactly.
 * Constant memory, about 20 bytes per window in Redis. The algorithm is the "leaky bucket
 * as a meter" of Turner, "New directions in communications" (1986); GCRA decides the
 * same. The twin of {@code LeakyBucket.lua}, and the oracle that script is tested
 * against. A bucket does not know its permits: a request that is sent again counts again.
 * Not safe for concurrent use.
 */
final class LeakyBucket extends FlowingBucket {

}

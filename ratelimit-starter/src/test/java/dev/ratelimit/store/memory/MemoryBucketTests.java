package dev.ratelimit.store.memory;

import java.time.InstantSource;

import dev.ratelimit.store.BucketContract;
import dev.ratelimit.store.RateLimitStore;

/**
 * The contract of buckets on the heap.
 */
class MemoryBucketTests extends BucketContract {

	@Override
	protected RateLimitStore open(InstantSource clock) {
		return new MemoryStore(clock);
	}

}

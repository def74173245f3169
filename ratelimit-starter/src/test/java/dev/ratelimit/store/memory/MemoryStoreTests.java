package dev.ratelimit.store.memory;

import java.time.InstantSource;

import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreContract;

/**
 * The store contract on the heap.
 */
class MemoryStoreTests extends StoreContract {

	@Override
	protected RateLimitStore open(InstantSource clock) {
		return new MemoryStore(clock);
	}

}

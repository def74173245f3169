package dev.ratelimit.store.memory;

import java.time.InstantSource;

import dev.ratelimit.store.InspectorContract;
import dev.ratelimit.store.RateLimitStore;

/**
 * A look at what is counted on the heap.
 */
class MemoryInspectorTests extends InspectorContract {

	@Override
	protected RateLimitStore open(InstantSource clock) {
		return new MemoryStore(clock);
	}

}

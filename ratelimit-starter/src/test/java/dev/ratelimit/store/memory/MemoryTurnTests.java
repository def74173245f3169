package dev.ratelimit.store.memory;

import dev.ratelimit.fixture.MovableClock;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.TurnContract;

/**
 * Turns on the heap.
 */
class MemoryTurnTests extends TurnContract {

	@Override
	protected RateLimitStore store(MovableClock clock) {
		return new MemoryStore(clock);
	}

}

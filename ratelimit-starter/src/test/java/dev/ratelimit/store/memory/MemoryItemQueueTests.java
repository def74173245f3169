package dev.ratelimit.store.memory;

import java.time.InstantSource;

import dev.ratelimit.store.queue.ItemQueue;
import dev.ratelimit.store.queue.ItemQueueContract;

/**
 * The twin does what every queue does.
 */
class MemoryItemQueueTests extends ItemQueueContract {

	@Override
	protected ItemQueue open(InstantSource clock) {
		return new MemoryItemQueue(clock);
	}

}

package dev.ratelimit.queue.memory;

import java.time.InstantSource;

import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.ItemQueueContract;

/**
 * The twin in memory satisfies the contract of every queue.
 */
class MemoryItemQueueTests extends ItemQueueContract {

	@Override
	protected ItemQueue open(InstantSource clock) {
		return new MemoryItemQueue(clock);
	}

}

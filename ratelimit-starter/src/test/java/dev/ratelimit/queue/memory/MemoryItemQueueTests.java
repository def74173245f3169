package dev.ratelimit.queue.memory;

import java.time.InstantSource;

import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.ItemQueueContract;

/**
 * The twin does what every queue does.
 */
class MemoryItemQueueTests extends ItemQueueContract {

	@Override
	protected ItemQueue open(InstantSource clock) {
		return new MemoryItemQueue(clock);
	}

}

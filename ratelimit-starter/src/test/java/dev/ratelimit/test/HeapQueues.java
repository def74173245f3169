package dev.ratelimit.test;

import java.time.InstantSource;

import dev.ratelimit.queue.ItemQueue;

/**
 * The queue that {@code ratelimit-starter-test} gives to tests, for tests elsewhere.
 */
public final class HeapQueues {

	private HeapQueues() {
	}

	public static ItemQueue on(InstantSource clock) {
		return new MemoryItemQueue(clock);
	}

}

package dev.ratelimit.queue;

import java.time.InstantSource;
import java.util.function.Function;

import dev.ratelimit.queue.redis.TimedQueues;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.test.HeapQueues;

/**
 * The queues that fulfil the contract, on the clock of the test. On a Cluster, all keys
 * of a rule lie in one slot.
 */
enum TestedQueue {

	HEAP(HeapQueues::on),

	REDIS((clock) -> TimedQueues.on(SharedRedis.runner(), clock)),

	REDIS_CLUSTER((clock) -> TimedQueues.on(SharedRedis.clusterRunner(), clock));

	@SuppressWarnings("ImmutableEnumChecker")
	private final Function<InstantSource, ItemQueue> opened;

	TestedQueue(Function<InstantSource, ItemQueue> opened) {
		this.opened = opened;
	}

	ItemQueue open(InstantSource clock) {
		return this.opened.apply(clock);
	}

}

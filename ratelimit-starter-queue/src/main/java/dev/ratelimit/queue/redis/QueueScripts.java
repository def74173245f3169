package dev.ratelimit.queue.redis;

import dev.ratelimit.spi.RedisScripts;
import dev.ratelimit.spi.RedisScripts.LoadedScript;

/**
 * The scripts of queues: each is one step of an item.
 *
 * @param enqueue enqueues an item
 * @param backlog checks whether a subject has items
 * @param due reads the status of a rule's queue
 * @param start leases an item
 * @param renew prolongs a lease
 * @param postpone ends a lease, so that the item is leased again later
 * @param end ends an item
 * @param state reads the state of an item
 * @param dead reads dead letters
 * @param revive enqueues a dead letter again
 */
record QueueScripts(LoadedScript enqueue, LoadedScript backlog, LoadedScript due, LoadedScript start,
		LoadedScript renew, LoadedScript postpone, LoadedScript end, LoadedScript state, LoadedScript dead,
		LoadedScript revive) {

	private static final String FOLDER = "/dev/ratelimit/queue/redis/";

	/** The code that precedes each script, except those that need no item. */
	private static final String ITEM = FOLDER + "QueueItem.lua";

	static QueueScripts load(RedisScripts redis) {
		return new QueueScripts(timed(redis, "QueueEnqueue.lua"), redis.load(FOLDER + "QueueBacklog.lua"),
				timed(redis, "QueueDue.lua"), timed(redis, "QueueStart.lua"), timed(redis, "QueueRenew.lua"),
				timed(redis, "QueuePostpone.lua"), timed(redis, "QueueFinish.lua"),
				redis.load(ITEM, FOLDER + "QueueState.lua"), redis.load(FOLDER + "QueueDeadLetters.lua"),
				timed(redis, "QueueRevive.lua"));
	}

	/** A script that reads the time. */
	private static LoadedScript timed(RedisScripts redis, String name) {
		return redis.load(ITEM, FOLDER + name, FOLDER + "QueueClock.lua", RedisScripts.CLOCK);
	}

}

package dev.ratelimit.queue.redis;

import java.util.Set;

import dev.ratelimit.store.redis.resp.Script;

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
record QueueScripts(Script enqueue, Script backlog, Script due, Script start, Script renew, Script postpone, Script end,
		Script state, Script dead, Script revive) {

	/**
	 * The code that precedes the clock in each script, except those that need no time.
	 */
	static final String ITEM = "QueueItem.lua";

	/** Load the scripts with Redis' own clock. */
	static QueueScripts load() {
		return load(Script.read(Script.CLOCK));
	}

	static QueueScripts load(String clock) {
		return new QueueScripts(timed("QueueEnqueue.lua", clock), Script.load("QueueBacklog.lua"),
				timed("QueueDue.lua", clock), timed("QueueStart.lua", clock), timed("QueueRenew.lua", clock),
				timed("QueuePostpone.lua", clock), timed("QueueFinish.lua", clock), Script.load(ITEM, "QueueState.lua"),
				Script.load("QueueDeadLetters.lua"), timed("QueueRevive.lua", clock));
	}

	/** The scripts that read the time. */
	Set<Script> timed() {
		return Set.of(this.enqueue, this.due, this.start, this.renew, this.postpone, this.end, this.revive);
	}

	private static Script timed(String name, String clock) {
		return Script.of(Script.read(ITEM) + Script.read(name) + Script.read("QueueClock.lua") + clock);
	}

}

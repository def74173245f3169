package dev.ratelimit.queue.redis;

import java.util.Set;

import dev.ratelimit.store.redis.resp.Script;

/**
 * The scripts of queues: each is one step of an item.
 *
 * @param enqueue keeps an item
 * @param backlog tells whether a subject has items
 * @param due looks at the queue of a rule
 * @param start hands an item out
 * @param keep prolongs a lease
 * @param postpone takes an item back
 * @param end ends an item
 * @param state tells what became of an item
 * @param dead tells dead letters
 * @param revive puts a dead letter back
 */
record QueueScripts(Script enqueue, Script backlog, Script due, Script start, Script keep, Script postpone, Script end,
		Script state, Script dead, Script revive) {

	/** What each script is made of before its clock, but for those that need no time. */
	static final String ITEM = "QueueItem.lua";

	/** On Redis' own clock. */
	static QueueScripts load() {
		return load(Script.read(Script.CLOCK));
	}

	static QueueScripts load(String clock) {
		return new QueueScripts(timed("QueueEnqueue.lua", clock), Script.load("QueueBacklog.lua"),
				timed("QueueDue.lua", clock), timed("QueueStart.lua", clock), timed("QueueKeep.lua", clock),
				timed("QueuePostpone.lua", clock), timed("QueueEnd.lua", clock), Script.load(ITEM, "QueueState.lua"),
				Script.load("QueueDead.lua"), timed("QueueRevive.lua", clock));
	}

	/** Those that read the time. */
	Set<Script> timed() {
		return Set.of(this.enqueue, this.due, this.start, this.keep, this.postpone, this.end, this.revive);
	}

	private static Script timed(String name, String clock) {
		return Script.of(Script.read(ITEM) + Script.read(name) + clock);
	}

}

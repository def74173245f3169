package dev.ratelimit.queue.redis;

import java.time.InstantSource;

import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.store.redis.CountingAndQueueing;
import dev.ratelimit.store.redis.InjectedTime;
import dev.ratelimit.store.redis.ModuleStores;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.TestConnectionDetails;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import dev.ratelimit.store.wire.CallRunner;
import redis.clients.jedis.Jedis;

/**
 * Queues in the Redis of the tests, on a clock that the test moves, for tests elsewhere.
 */
public final class TimedQueues {

	private TimedQueues() {
	}

	public static ItemQueue on(InstantSource clock) {
		return on(SharedRedis.runner(), clock);
	}

	/** The shipped queue at another address, with its own connections. */
	public static CountingAndQueueing shipped(String address, String prefix) {
		return CountingAndQueueing.connect(TestConnectionDetails.standalone(address),
				new RedisStoreSettings(prefix, SharedRedis.SETTINGS.connectTimeout(), 8, 100));
	}

	/** How often scripts ran. */
	public static long scriptCalls() {
		try (Jedis jedis = SharedRedis.connect(SharedRedis.standalone())) {
			return jedis.info("commandstats")
				.lines()
				.filter((line) -> line.startsWith("cmdstat_evalsha:"))
				.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf('=') + 1, line.indexOf(','))))
				.sum();
		}
	}

	/**
	 * Let Redis accept writes, or reject them for too few replicas (NOREPLICAS). It reads
	 * in either case.
	 */
	public static void writes(boolean accepted) {
		try (Jedis jedis = SharedRedis.connect(SharedRedis.standalone())) {
			jedis.configSet("min-replicas-to-write", accepted ? "0" : "1");
		}
	}

	/** Replace a stream by a value of another type. */
	public static void damage(String rule, String subject) {
		try (Jedis jedis = SharedRedis.connect(SharedRedis.standalone())) {
			jedis.set(SharedRedis.PREFIX + ":{" + rule + "}:q1:of:" + subject, "no stream");
		}
	}

	/** A queue on the clock of the test. */
	public static RedisItemQueue on(CallRunner redis, InstantSource clock) {
		return new RedisItemQueue(ModuleStores.scripts(new InjectedTime(redis, clock), "", InjectedTime.CLOCK));
	}

}

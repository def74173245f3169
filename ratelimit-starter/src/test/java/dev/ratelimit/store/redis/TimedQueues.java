package dev.ratelimit.store.redis;

import java.time.InstantSource;

import dev.ratelimit.store.queue.ItemQueue;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import redis.clients.jedis.Jedis;

/**
 * Queues in the Redis of the tests, on a clock that the test moves, for tests elsewhere.
 */
public final class TimedQueues {

	private TimedQueues() {
	}

	public static ItemQueue on(InstantSource clock) {
		return InjectedTime.queue(SharedRedis.runner(), clock);
	}

	/** The shipped queue at another place, with connections of its own. */
	public static RedisStore shipped(String address, String prefix) {
		return SharedRedis.store(TestConnectionDetails.standalone(address),
				new RedisStoreSettings(prefix, SharedRedis.SETTINGS.connectTimeout(), 8, 100, "ratelimit"));
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
	 * Whether Redis writes; without, it has too few replicas to (NOREPLICAS), and reads.
	 */
	public static void writes(boolean whether) {
		try (Jedis jedis = SharedRedis.connect(SharedRedis.standalone())) {
			jedis.configSet("min-replicas-to-write", whether ? "0" : "1");
		}
	}

	/** Put something else in the place of a stream. */
	public static void damage(String rule, String subject) {
		try (Jedis jedis = SharedRedis.connect(SharedRedis.standalone())) {
			jedis.set(SharedRedis.PREFIX + ":{" + rule + "}:q1:of:" + subject, "no stream");
		}
	}

	/** Remove what is left, so that no test sees what another one kept. */
	public static void empty() {
		try (Jedis jedis = SharedRedis.connect(SharedRedis.standalone())) {
			jedis.flushAll();
		}
	}

}

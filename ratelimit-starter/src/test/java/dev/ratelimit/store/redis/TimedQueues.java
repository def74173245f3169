package dev.ratelimit.store.redis;

import java.time.InstantSource;

import dev.ratelimit.store.queue.ItemQueue;
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

	/** Remove what is left: a queue that holds items does not expire. */
	public static void empty() {
		try (Jedis jedis = SharedRedis.connect(SharedRedis.standalone())) {
			jedis.flushAll();
		}
	}

}

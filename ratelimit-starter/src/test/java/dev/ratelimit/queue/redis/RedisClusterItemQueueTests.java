package dev.ratelimit.queue.redis;

import java.time.InstantSource;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.queue.ItemQueue;
import dev.ratelimit.queue.ItemQueueContract;
import dev.ratelimit.store.redis.InjectedTime;
import dev.ratelimit.store.redis.SharedRedis;
import org.junit.jupiter.api.AfterEach;
import redis.clients.jedis.Jedis;

/**
 * The queue on a cluster of three masters, where all keys of a rule lie in one slot.
 */
class RedisClusterItemQueueTests extends ItemQueueContract {

	@Override
	protected ItemQueue open(InstantSource clock) {
		return TimedQueues.on(SharedRedis.clusterRunner(), clock);
	}

	@AfterEach
	void empty() {
		for (RedisServer server : SharedRedis.cluster().nodes()) {
			try (Jedis jedis = SharedRedis.connect(server)) {
				jedis.flushAll();
			}
		}
	}

}

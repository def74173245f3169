package dev.ratelimit.store.redis;

import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.memory.MemoryStore;
import org.junit.jupiter.api.Test;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.util.JedisClusterCRC16;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Keys that fail together have one shard name.
 */
class ShardTests {

	private final Limit limit = Limits.of("shard", "5/60s");

	@Test
	void memoryIsOneShard() {
		assertThat(new MemoryStore(InstantSource.system()).shard(StoreRequests.request(this.limit, "a")))
			.isEqualTo("memory");
	}

	@Test
	void aStandaloneServerIsOneShard() {
		try (RedisStore store = InjectedTime.shipped(SharedRedis.runner())) {
			assertThat(shards(store)).containsExactly(SharedRedis.standalone().address());
		}
	}

	@Test
	void everyMasterOfAClusterIsAShard() {
		try (RedisStore store = InjectedTime.shipped(SharedRedis.clusterRunner())) {
			AcquireRequest request = StoreRequests.request(this.limit, "a");
			String key = StoreRequests.key(request);
			assertThat(shards(store)).containsExactlyInAnyOrderElementsOf(
					SharedRedis.cluster().nodes().stream().map(RedisServer::address).toList());
			try (Jedis redis = SharedRedis.connect(SharedRedis.cluster().nodes().get(0))) {
				assertThat(redis.clusterNodes().lines())
					.anySatisfy((line) -> assertThat(line).contains(store.shard(request) + "@")
						.satisfies((node) -> assertThat(serves(node, JedisClusterCRC16.getSlot(key))).isTrue()));
			}
		}
	}

	/** Behind eight other fields a line of CLUSTER NODES lists ranges of slots. */
	private static boolean serves(String node, int slot) {
		return Arrays.stream(node.split(" ")).skip(8).map((range) -> range.split("-", 2)).anyMatch((range) -> {
			int last = Integer.parseInt(range[range.length - 1]);
			return Integer.parseInt(range[0]) <= slot && slot <= last;
		});
	}

	@Test
	void whileNoNodeIsKnownAllIsOneShard() {
		try (RedisStore store = SharedRedis.store(TestConnectionDetails.sentinel("main", List.of("127.0.0.1:1")),
				SharedRedis.settings(1))) {
			assertThat(shards(store)).containsExactly("Redis main of the Sentinels at 127.0.0.1:1");
		}
	}

	private Set<String> shards(RateLimitStore store) {
		return IntStream.range(0, 100)
			.mapToObj((i) -> store.shard(StoreRequests.request(this.limit, "s" + i)))
			.collect(Collectors.toSet());
	}

}

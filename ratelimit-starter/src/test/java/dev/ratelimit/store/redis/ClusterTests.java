package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;

import dev.ratelimit.embeddedredis.RedisCluster;
import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.Usage;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import dev.ratelimit.store.wire.NodeCall;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.params.MigrateParams;
import redis.clients.jedis.util.JedisClusterCRC16;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What is particular to a Redis Cluster.
 */
@ExtendWith(SharedRedis.class)
class ClusterTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	@Test
	@DisplayName("1.14: 10,000 subjects spread over all masters, none above 45 %")
	void subjectsSpreadOverAllMasters() {
		Limit limit = Limits.of("spread", "5/60s");
		try (RedisStore store = InjectedTime.shipped(SharedRedis.clusterRunner())) {
			for (int batch = 0; batch < 10; batch++) {
				int from = batch * 1000;
				List<AcquireRequest> requests = IntStream.range(from, from + 1000)
					.mapToObj((i) -> StoreRequests.request(limit, "h" + i))
					.toList();
				assertThat(store.acquire(requests, Patience.LONG).await()).allMatch(StoreRequests::isAdmitted);
			}
			List<Long> keys = SharedRedis.cluster().nodes().stream().map(ClusterTests::keys).toList();
			assertThat(keys.stream().mapToLong(Long::longValue).sum()).isEqualTo(10_000);
			assertThat(Collections.max(keys)).isLessThan(4500);
		}
	}

	private static long keys(RedisServer node) {
		try (Jedis redis = SharedRedis.connect(node)) {
			return redis.dbSize();
		}
	}

	@Test
	@DisplayName("1.11, 1.13, E6: all windows of a rule and subject are one key of at most 200 bytes in one slot")
	void allWindowsAreOneKey() {
		String prefix = "p".repeat(RedisStoreSettings.MAX_PREFIX_BYTES);
		Limit limit = Limits.of("r".repeat(64), "500/2s", "2000/10s", "10000/60s");
		// A release that surely did not happen is repeated in the background.
		List<NodeCall> seen = new CopyOnWriteArrayList<>();
		RedisStore store = new RedisStore(new UnconnectedRunner(seen::addAll), prefix, AlgorithmScripts.load(),
				SharedRedis.NO_LISTENER);
		AcquireRequest request = StoreRequests.request(limit, "s".repeat(Subject.MAX_LENGTH));
		assertThat(StoreRequests.acquire(store, request))
			.isEqualTo(StoreRequests.failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN));
		store.settle(List.of(Settlement.release(new AcquiredPermits(request))), Patience.LONG).await();
		store.close();
		assertThat(seen).hasSizeGreaterThanOrEqualTo(2)
			.allSatisfy((call) -> assertThat(call.key()).hasSize(194).isEqualTo(seen.get(0).key()));
	}

	@Test
	void aSlotThatMovesIsFollowed() {
		Limit limit = Limits.of("migrate", "9/60s");
		AcquireRequest first = StoreRequests.request(limit, "a");
		String key = StoreRequests.key(first);
		int slot = JedisClusterCRC16.getSlot(key);
		RedisServer source = SharedRedis.cluster()
			.nodes()
			.stream()
			.filter((node) -> owns(node, slot))
			.findFirst()
			.orElseThrow();
		RedisServer target = SharedRedis.cluster()
			.nodes()
			.stream()
			.filter((node) -> node != source)
			.findFirst()
			.orElseThrow();
		try (RedisStore store = InjectedTime.shipped(SharedRedis.clusterRunner());
				Jedis from = SharedRedis.connect(source);
				Jedis to = SharedRedis.connect(target)) {
			String fromId = from.clusterMyId();
			String toId = to.clusterMyId();
			assertThat(remaining(StoreRequests.acquire(store, first))).isEqualTo(8);
			to.clusterSetSlotImporting(slot, fromId);
			from.clusterSetSlotMigrating(slot, toId);
			assertThat(remaining(StoreRequests.acquire(store, limit, "a"))).as("still at the source").isEqualTo(7);
			from.migrate(target.host(), target.port(), 1000, new MigrateParams(), key);
			to.scriptFlush();
			assertThat(remaining(StoreRequests.acquire(store, limit, "a"))).as("ASK, then NOSCRIPT").isEqualTo(6);
			assertThat(remaining(StoreRequests.acquire(store, limit, "a"))).as("ASK").isEqualTo(5);
			to.clusterSetSlotNode(slot, toId);
			from.clusterSetSlotNode(slot, toId);
			assertThat(remaining(StoreRequests.acquire(store, limit, "a"))).as("MOVED").isEqualTo(4);
			Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
				AcquireRequest next = StoreRequests.request(limit, "a");
				long redirected = moved(from);
				assertThat(StoreRequests.acquire(store, next)).isInstanceOf(AcquireResult.Admitted.class);
				assertThat(store.settle(List.of(Settlement.release(new AcquiredPermits(next))), Patience.LONG).await())
					.containsExactly(SettlementResult.ACKNOWLEDGED);
				assertThat(moved(from)).as("redirections").isEqualTo(redirected);
			});
		}
	}

	@Test
	void redirectionsInACircleAreNotFollowedForEver() {
		Limit limit = Limits.of("circle", "9/60s");
		AcquireRequest request = StoreRequests.request(limit, "a");
		int slot = JedisClusterCRC16.getSlot(StoreRequests.key(request));
		List<RedisServer> nodes = SharedRedis.cluster().nodes();
		RedisServer owner = nodes.stream().filter((node) -> owns(node, slot)).findFirst().orElseThrow();
		RedisServer other = nodes.stream().filter((node) -> node != owner).findFirst().orElseThrow();
		try (RedisStore store = InjectedTime.shipped(SharedRedis.clusterRunner());
				Jedis ownerNode = SharedRedis.connect(owner);
				Jedis otherNode = SharedRedis.connect(other)) {
			ownerNode.clusterSetSlotNode(slot, otherNode.clusterMyId());
			try {
				assertThat(StoreRequests.acquire(store, request))
					.isEqualTo(StoreRequests.failed(StoreFailure.UNAVAILABLE, Fate.NOT_TAKEN));
			}
			finally {
				ownerNode.clusterSetSlotNode(slot, ownerNode.clusterMyId());
			}
			Awaitility.await()
				.atMost(PATIENCE)
				.until(() -> StoreRequests.isAdmitted(StoreRequests.acquire(store, request)));
		}
	}

	static boolean owns(RedisServer node, int slot) {
		try (Jedis redis = SharedRedis.connect(node)) {
			return redis.clusterNodes()
				.lines()
				.filter((line) -> line.contains("myself"))
				.flatMap((line) -> Arrays.stream(line.split(" ")).skip(8))
				.map((range) -> range.split("-"))
				.anyMatch((range) -> Integer.parseInt(range[0]) <= slot
						&& slot <= Integer.parseInt(range[range.length - 1]));
		}
	}

	private static long moved(Jedis redis) {
		return redis.info("errorstats")
			.lines()
			.filter((line) -> line.startsWith("errorstat_MOVED:count="))
			.mapToLong((line) -> Long.parseLong(line.substring(line.indexOf('=') + 1)))
			.sum();
	}

	private static long remaining(AcquireResult result) {
		assertThat(result).isInstanceOf(AcquireResult.Admitted.class);
		Usage usage = ((AcquireResult.Admitted) result).usage().get(0);
		return usage.remaining();
	}

	@Test
	@DisplayName("1.13: a killed master is replaced, without a restart and without failing the others' subjects")
	void aKilledMasterIsReplaced() {
		Limit limit = Limits.of("failover", "1000000/60s");
		try (RedisCluster cluster = RedisCluster.start(3, 1, "--cluster-require-full-coverage", "no");
				RedisStore store = SharedRedis.store(TestConnectionDetails.cluster(cluster.addresses()),
						SharedRedis.settings(8))) {
			List<AcquireRequest> requests = IntStream.range(0, 60)
				.mapToObj((i) -> StoreRequests.request(limit, "h" + i))
				.toList();
			assertThat(store.acquire(requests, Patience.LONG).await()).allMatch(StoreRequests::isAdmitted);
			cluster.nodes().get(0).kill();
			List<AcquireResult> results = store.acquire(requests, Patience.LONG).await();
			assertThat(results).as("of the other masters").filteredOn(StoreRequests::isAdmitted).hasSizeBetween(20, 59);
			assertThat(results).as("of the dead master")
				.filteredOn((result) -> !StoreRequests.isAdmitted(result))
				.isNotEmpty()
				.allMatch(AcquireResult.Failed.class::isInstance);
			Awaitility.await()
				.atMost(PATIENCE)
				.until(() -> store.acquire(requests, Patience.LONG)
					.await()
					.stream()
					.allMatch(StoreRequests::isAdmitted));
		}
	}

	@Test
	void aClusterThatIsAbsentAtTheStartIsFoundOnceItIsUp() {
		Limit limit = Limits.of("absent", "5/60s");
		try (RedisCluster cluster = RedisCluster.start(3, 0)) {
			cluster.nodes().forEach(RedisServer::kill);
			try (RedisStore store = SharedRedis.store(TestConnectionDetails.cluster(cluster.addresses()),
					SharedRedis.SETTINGS)) {
				assertThat(StoreRequests.acquire(store, limit, "a"))
					.isEqualTo(StoreRequests.failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN));
				assertThat(store.describe()).isEqualTo("Redis Cluster at " + String.join(",", cluster.addresses()));
				cluster.nodes().forEach(RedisServer::restart);
				Awaitility.await()
					.atMost(PATIENCE)
					.until(() -> StoreRequests.isAdmitted(StoreRequests.acquire(store, limit, "a")));
			}
		}
	}

}

package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.ratelimit.embeddedredis.RedisSentinels;
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
import dev.ratelimit.store.redis.resp.RedisAddress;
import dev.ratelimit.store.redis.resp.RedisDetails;
import dev.ratelimit.store.redis.resp.RedisLogin;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Redis goes away, comes back, or refuses: the store returns what happened, and recovers
 * by itself.
 */
class FailureTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final RedisStoreSettings SETTINGS = SharedRedis.settings(8);

	private final Limit limit = Limits.of("failure", "1000/60s");

	@Test
	void aServerThatIsAbsentAtTheStartIsFoundOnceItIsUp() {
		RedisServer server = OwnRedis.server();
		server.kill();
		try (RedisStore store = open(server)) {
			assertThat(StoreRequests.acquire(store, this.limit, "a"))
				.isEqualTo(StoreRequests.failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN));
			assertThat(store
				.settle(List.of(Settlement.release(new AcquiredPermits(StoreRequests.request(this.limit, "a")))),
						Patience.LONG)
				.await()).containsExactly(SettlementResult.AWAITED);
			server.restart();
			Awaitility.await()
				.atMost(PATIENCE)
				.until(() -> StoreRequests.isAdmitted(StoreRequests.acquire(store, this.limit, "a")));
		}
	}

	@Test
	void aRestartCostsOneFailureHoweverManyConnectionsThereWere() {
		RedisServer server = OwnRedis.server();
		try (RedisStore store = open(server)) {
			openAllConnections(store);
			assertThat(connections(server)).isGreaterThan(1);
			server.restart();
			assertThat(StoreRequests.acquire(store, this.limit, "a"))
				.isEqualTo(StoreRequests.failed(StoreFailure.UNREACHABLE, Fate.UNKNOWN));
			for (int i = 0; i < 10; i++) {
				assertThat(StoreRequests.acquire(store, this.limit, "a")).isInstanceOf(AcquireResult.Admitted.class);
			}
			server.kill();
			assertThat(StoreRequests.acquire(store, this.limit, "a"))
				.isEqualTo(StoreRequests.failed(StoreFailure.UNREACHABLE, Fate.UNKNOWN));
			assertThat(StoreRequests.acquire(store, this.limit, "a"))
				.isEqualTo(StoreRequests.failed(StoreFailure.UNREACHABLE, Fate.NOT_TAKEN));
		}
	}

	private static long connections(RedisServer server) {
		try (Jedis redis = SharedRedis.connect(server)) {
			return redis.clientList().lines().count() - 1;
		}
	}

	private void openAllConnections(RedisStore store) {
		CyclicBarrier together = new CyclicBarrier(4);
		List<CompletableFuture<Void>> clients = IntStream.range(0, 4).mapToObj((i) -> CompletableFuture.runAsync(() -> {
			for (int round = 0; round < 20; round++) {
				await(together);
				assertThat(StoreRequests.acquire(store, this.limit, "a")).isInstanceOf(AcquireResult.Admitted.class);
			}
		}, (task) -> new Thread(task).start())).toList();
		clients.forEach(CompletableFuture::join);
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await(Patience.LONG.toSeconds(), TimeUnit.SECONDS);
		}
		catch (Exception ex) {
			throw new AssertionError(ex);
		}
	}

	@Test
	void aServerThatHangsTimesOutAndPermitsThatItGrantsLateAreReleased() {
		RedisServer server = OwnRedis.server();
		try (RedisStore store = open(server)) {
			assertThat(StoreRequests.acquire(store, this.limit, "a")).isInstanceOf(AcquireResult.Admitted.class);
			server.pause();
			AcquireRequest request = StoreRequests.request(this.limit, "a");
			assertThat(StoreRequests.acquire(store, request, Duration.ofMillis(500)))
				.isEqualTo(StoreRequests.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
			server.resume();
			try (Jedis redis = SharedRedis.connect(server)) {
				Awaitility.await().atMost(PATIENCE).until(() -> redis.info("commandstats").contains("cmdstat_zrem:"));
				assertThat(redis.zcard(StoreRequests.key(request))).isEqualTo(1);
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "maxmemory, 1, UNAVAILABLE", "min-replicas-to-write, 1, UNAVAILABLE" })
	void anErrorReplyHasNotCounted(String parameter, String value, StoreFailure failure) {
		try (RedisServer server = RedisServer.start();
				RedisStore store = open(server);
				Jedis redis = SharedRedis.connect(server)) {
			redis.configSet(parameter, value);
			assertThat(StoreRequests.acquire(store, this.limit, "a"))
				.isEqualTo(StoreRequests.failed(failure, Fate.NOT_TAKEN));
			assertThat(redis.dbSize()).isZero();
			redis.configSet(parameter, "0");
			assertThat(StoreRequests.acquire(store, this.limit, "a")).isInstanceOf(AcquireResult.Admitted.class);
		}
	}

	@Test
	void aSentinelFailoverIsFollowed() {
		try (RedisServer master = RedisServer.start();
				RedisServer replica = RedisServer.start("--replicaof", master.host(), Integer.toString(master.port()));
				RedisSentinels sentinels = RedisSentinels.start("main", master, 1);
				RedisStore store = SharedRedis.store(TestConnectionDetails.sentinel("main", sentinels.addresses()),
						SETTINGS)) {
			assertThat(StoreRequests.acquire(store, this.limit, "a")).isInstanceOf(AcquireResult.Admitted.class);
			assertThat(store.describe()).isEqualTo("Redis main of the Sentinels at " + sentinels.addresses().get(0));
			awaitReplica(master);
			master.kill();
			assertThat(StoreRequests.acquire(store, this.limit, "a")).isInstanceOf(AcquireResult.Failed.class);
			Awaitility.await()
				// A Sentinel that was not scheduled for two seconds waits for thirty.
				.atMost(PATIENCE.multipliedBy(3))
				.until(() -> StoreRequests.isAdmitted(StoreRequests.acquire(store, this.limit, "a")));
			SharedRedis.checkAndRemoveKeys(replica);
		}
	}

	/** It is cut off from the others, and names a master that has died. */
	@Test
	void aSentinelThatKnowsNoBetterIsNotBelievedForEver() {
		try (RedisServer dead = RedisServer.start();
				RedisServer master = RedisServer.start();
				RedisSentinels cutOff = RedisSentinels.start("main", dead, 1);
				RedisSentinels sentinels = RedisSentinels.start("main", master, 1);
				RedisStore store = SharedRedis.store(TestConnectionDetails.sentinel("main",
						List.of(cutOff.addresses().get(0), sentinels.addresses().get(0))), SETTINGS)) {
			assertThat(StoreRequests.acquire(store, this.limit, "a")).isInstanceOf(AcquireResult.Admitted.class);
			dead.kill();
			Awaitility.await()
				.atMost(PATIENCE)
				.until(() -> StoreRequests.isAdmitted(StoreRequests.acquire(store, this.limit, "a")));
			SharedRedis.checkAndRemoveKeys(master);
		}
	}

	private static void awaitReplica(RedisServer master) {
		Awaitility.await()
			.atMost(PATIENCE)
			.until(() -> SharedRedis.info(master, "replication").contains("state=online"));
	}

	@Test
	void noConnectionIsLeftBehindWhereItsPasswordCannotBeRead() {
		AtomicInteger reads = new AtomicInteger();
		RedisServer server = OwnRedis.server();
		try (RedisStore store = SharedRedis.store(new RedisDetails() {

			@Override
			public RedisAddress address() {
				return TestConnectionDetails.standalone(server.address()).address();
			}

			@Override
			public RedisLogin login() {
				reads.incrementAndGet();
				throw new IllegalStateException("The vault is sealed");
			}

		}, SETTINGS)) {
			Awaitility.await().atMost(PATIENCE).until(() -> {
				StoreRequests.acquire(store, this.limit, "a");
				return reads.get() >= 5;
			});
			// The server notices a closed connection a moment later.
			Awaitility.await()
				.atMost(PATIENCE)
				.until(() -> SharedRedis.info(server, "clients").contains("connected_clients:1\r\n"));
		}
	}

	private static RedisStore open(RedisServer server) {
		return SharedRedis.store(TestConnectionDetails.standalone(server.address()), SETTINGS);
	}

}

package dev.ratelimit.store.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.fixture.FaultProxy.Fault;
import dev.ratelimit.fixture.Patience;
import dev.ratelimit.rule.Algorithm;
import dev.ratelimit.rule.RLConfig;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.AcquiredPermits;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.Settlement;
import dev.ratelimit.store.SettlementResult;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.WaitRange;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientPauseMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Replies of Redis that no request waits for any more.
 */
class LateAnswerTests {

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final Duration HALF_OF_THE_WAIT_FOR_A_REPLY = Duration.ofSeconds(5);

	private static final Duration SHORT = Duration.ofMillis(50);

	private final RedisServer server = OwnRedis.server();

	private final FaultProxy proxy = FaultProxy.to(this.server.port());

	private final Queue<String> reported = new ConcurrentLinkedQueue<>();

	@AfterEach
	void close() {
		this.proxy.close();
	}

	private RedisStore open(int maxConnections) {
		return SharedRedis.store(TestConnectionDetails.standalone(this.proxy.address()),
				SharedRedis.settings(maxConnections),
				(rule, acknowledged) -> this.reported.add(rule + (acknowledged ? " released" : " lost")));
	}

	/** A store whose connections are all open. */
	private RedisStore openAll(int connections) {
		RedisStore store = open(connections);
		Limit limit = Limits.of("warm-up", "1000/60s");
		try (Jedis redis = SharedRedis.connect(this.server)) {
			redis.clientPause(PATIENCE.toMillis(), ClientPauseMode.WRITE);
			List<CompletableFuture<AcquireResult>> clients = new ArrayList<>();
			// One after the other, or two of them would share a connection.
			for (int open = 1; open <= connections; open++) {
				int expected = open;
				clients.add(CompletableFuture.supplyAsync(() -> StoreRequests.acquire(store, limit, "s"),
						(task) -> new Thread(task).start()));
				Awaitility.await()
					.atMost(PATIENCE)
					.until(() -> redis.clientList().split("cmd=eval", -1).length - 1 == expected);
			}
			redis.clientUnpause();
			clients.forEach((result) -> assertThat(result.join()).isInstanceOf(AcquireResult.Admitted.class));
		}
		return store;
	}

	private void awaitReports(int count) {
		Awaitility.await().atMost(PATIENCE).until(() -> this.reported.size() == count);
	}

	private static Limit limit(Algorithm algorithm) {
		return Limits.of(RLConfig.builder("late").algorithm(algorithm).thresholds("5/400d"));
	}

	private static AcquireRequest admitted(RedisStore store, Limit limit) {
		AcquireRequest request = StoreRequests.request(limit, "s");
		assertThat(StoreRequests.acquire(store, request)).isInstanceOf(AcquireResult.Admitted.class);
		return request;
	}

	private static long remaining(RedisStore store, Limit limit) {
		return ((AcquireResult.Admitted) StoreRequests.acquire(store, limit, "s")).usage().get(0).remaining();
	}

	@ParameterizedTest
	@EnumSource
	void permitsGrantedTooLateAreReleased(Algorithm algorithm) {
		Limit limit = limit(algorithm);
		try (RedisStore store = openAll(3)) {
			admitted(store, limit);
			this.server.pause();
			for (int i = 0; i < 3; i++) {
				assertThat(StoreRequests.acquire(store, StoreRequests.request(limit, "s"), SHORT))
					.isEqualTo(StoreRequests.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
			}
			this.server.resume();
			awaitReports(3);
			assertThat(this.reported).containsOnly("late released");
			assertThat(remaining(store, limit)).as("beside one before and one now").isEqualTo(3);
		}
	}

	/** A subject has one pause: what removes a late one would remove another's, too. */
	@Test
	void aPauseThatIsLateRemovesNone() {
		Limit limit = limit(Algorithm.SLIDING_WINDOW_LOG);
		try (RedisStore store = open(1)) {
			assertThat(StoreRequests.acquire(store, pause(limit, 300), PATIENCE))
				.isInstanceOf(AcquireResult.Turn.class);
			this.server.pause();
			assertThat(StoreRequests.acquire(store, pause(limit, 1), SHORT))
				.isEqualTo(StoreRequests.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
			this.server.resume();
			// What a late reply leads to travels with the next calls.
			for (int i = 0; i < 3; i++) {
				assertThat(StoreRequests.acquire(store, limit, "other" + i)).isInstanceOf(AcquireResult.Admitted.class);
			}
			AcquireRequest turn = new AcquireRequest(limit, new Subject("s"), 1, new PermitId("turn"), 1,
					Optional.of(new WaitRange(0, Long.MAX_VALUE)));
			assertThat(StoreRequests.acquire(store, turn, PATIENCE)).isInstanceOfSatisfying(AcquireResult.Turn.class,
					(given) -> assertThat(given.waitMicros()).isGreaterThan(200_000_000));
		}
	}

	private static AcquireRequest pause(Limit limit, long seconds) {
		return new AcquireRequest(limit, new Subject("s"), 1, new PermitId("pause"), 1,
				Optional.of(new WaitRange(seconds * 1_000_000, Long.MAX_VALUE)));
	}

	@Test
	void theConnectionOfALateReplyIsUsedAgain() {
		Limit limit = limit(Algorithm.SLIDING_WINDOW_LOG);
		try (RedisStore store = open(1)) {
			admitted(store, limit);
			this.server.pause();
			StoreRequests.acquire(store, StoreRequests.request(limit, "s"), SHORT);
			this.server.resume();
			awaitReports(1);
			admitted(store, limit);
			assertThat(this.proxy.accepted()).isEqualTo(1);
		}
	}

	@Test
	void theConnectionToAMasterThatHasBecomeAReplicaIsNotUsedAgain() {
		Limit limit = limit(Algorithm.FIXED_WINDOW);
		try (RedisStore store = open(1); Jedis redis = SharedRedis.connect(this.server)) {
			admitted(store, limit);
			redis.clientPause(PATIENCE.toMillis(), ClientPauseMode.WRITE);
			assertThat(StoreRequests.acquire(store, StoreRequests.request(limit, "s"), SHORT))
				.isEqualTo(StoreRequests.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
			redis.replicaof("127.0.0.1", 1);
			redis.clientUnpause();
			Awaitility.await().atMost(PATIENCE).until(() -> redis.info("errorstats").contains("READONLY"));
			redis.replicaofNoOne();
			admitted(store, limit);
			assertThat(this.proxy.accepted()).as("another connection").isEqualTo(2);
		}
	}

	@Test
	void aLateRefusalIsNotReported() {
		Limit limit = limit(Algorithm.TOKEN_BUCKET);
		try (RedisStore store = open(1)) {
			assertThat(StoreRequests.acquire(store, StoreRequests.request(limit, "s", 5)))
				.isInstanceOf(AcquireResult.Admitted.class);
			this.server.pause();
			StoreRequests.acquire(store, StoreRequests.request(limit, "s", 5), SHORT);
			this.server.resume();
			assertThat(StoreRequests.acquire(store, StoreRequests.request(limit, "s", 5)))
				.isInstanceOf(AcquireResult.Refused.class);
			assertThat(this.reported).isEmpty();
		}
	}

	@Test
	void aServerThatWakesFindsNoMoreRequestsThanThereAreConnections() {
		Limit limit = limit(Algorithm.SLIDING_WINDOW_LOG);
		try (RedisStore store = openAll(2)) {
			admitted(store, limit);
			this.server.pause();
			List<AcquireResult> results = new ArrayList<>();
			for (int i = 0; i < 10; i++) {
				results.add(StoreRequests.acquire(store, StoreRequests.request(limit, "s"), SHORT));
			}
			assertThat(results.subList(0, 2)).containsOnly(StoreRequests.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
			assertThat(results.subList(2, 10))
				.containsOnly(StoreRequests.failed(StoreFailure.EXHAUSTED, Fate.NOT_TAKEN));
			this.server.resume();
			awaitReports(2);
		}
		try (Jedis redis = SharedRedis.connect(this.server)) {
			assertThat(redis.info("commandstats")).contains("cmdstat_zadd:calls=5,");
		}
	}

	@Test
	void permitsOnAKilledServerAreLostAndBlockNoRequest() {
		Limit limit = limit(Algorithm.FIXED_WINDOW);
		try (RedisStore store = open(1)) {
			admitted(store, limit);
			this.server.pause();
			StoreRequests.acquire(store, StoreRequests.request(limit, "s"), SHORT);
			this.server.kill();
			this.server.restart();
			Awaitility.await()
				.atMost(HALF_OF_THE_WAIT_FOR_A_REPLY)
				.until(() -> StoreRequests
					.isAdmitted(StoreRequests.acquire(store, StoreRequests.request(limit, "s"), SHORT)));
			Awaitility.await().untilAsserted(() -> assertThat(this.reported).contains("late lost"));
		}
	}

	@Test
	void theRestOfAReplyIsWaitedForInTheBackground() {
		Limit limit = limit(Algorithm.FIXED_WINDOW);
		try (RedisStore store = open(1)) {
			admitted(store, limit);
			this.proxy.inject(Fault.DRIP, Duration.ofMillis(100));
			assertThat(StoreRequests.acquire(store, StoreRequests.request(limit, "s"), Duration.ofSeconds(1)))
				.isEqualTo(StoreRequests.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
			this.proxy.inject(Fault.NONE);
			awaitReports(1);
			assertThat(this.reported).containsOnly("late released");
			admitted(store, limit);
			assertThat(this.proxy.accepted()).as("over the same connection").isEqualTo(1);
		}
	}

	@Test
	void aReleaseWithoutTimeLeftDoesNotWait() {
		Limit limit = limit(Algorithm.FIXED_WINDOW);
		try (RedisStore store = open(1)) {
			AcquiredPermits taken = taken(store, limit);
			try (Jedis redis = SharedRedis.connect(this.server)) {
				redis.clientPause(PATIENCE.toMillis(), ClientPauseMode.WRITE);
				assertThat(store.settle(List.of(Settlement.release(taken)), Duration.ZERO).await())
					.containsExactly(SettlementResult.AWAITED);
				redis.clientUnpause();
			}
			awaitReports(1);
			assertThat(this.reported).containsOnly("late released");
			assertThat(remaining(store, limit)).isEqualTo(4);
		}
	}

	private static AcquiredPermits taken(RedisStore store, Limit limit) {
		AcquireRequest request = StoreRequests.request(limit, "s");
		return new AcquiredPermits(request,
				((AcquireResult.Admitted) StoreRequests.acquire(store, request)).receipts());
	}

	@Test
	void aReleaseThatDidNotReachTheServerIsRepeatedOnceItReplies() {
		Limit limit = limit(Algorithm.FIXED_WINDOW);
		try (RedisStore store = open(1)) {
			AcquiredPermits first = taken(store, limit);
			AcquiredPermits second = taken(store, limit);
			this.server.pause();
			assertThat(store.settle(List.of(Settlement.release(first)), SHORT).await()).as("sent")
				.containsExactly(SettlementResult.AWAITED);
			assertThat(store.settle(List.of(Settlement.release(second)), SHORT).await()).as("queued")
				.containsExactly(SettlementResult.AWAITED);
			this.server.resume();
			awaitReports(2);
			assertThat(this.reported).containsOnly("late released");
			assertThat(remaining(store, limit)).as("neither lost nor released twice").isEqualTo(4);
		}
	}

	@Test
	void aReleaseWhoseReplyIsLostIsNotRepeated() {
		Limit limit = limit(Algorithm.FIXED_WINDOW);
		try (RedisStore store = open(1)) {
			AcquiredPermits first = taken(store, limit);
			AcquiredPermits second = taken(store, limit);
			assertThat(store.settle(List.of(Settlement.release(second)), Patience.LONG).await())
				.as("to load the script")
				.containsExactly(SettlementResult.ACKNOWLEDGED);
			this.proxy.inject(Fault.CUT_AFTER_REQUEST);
			assertThat(store.settle(List.of(Settlement.release(first)), Patience.LONG).await())
				.containsExactly(SettlementResult.LOST);
			this.proxy.inject(Fault.NONE);
			assertThat(remaining(store, limit)).as("released once").isEqualTo(4);
			assertThat(this.reported).isEmpty();
		}
	}

}

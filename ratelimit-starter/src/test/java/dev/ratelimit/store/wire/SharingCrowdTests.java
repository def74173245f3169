package dev.ratelimit.store.wire;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;

import dev.ratelimit.embeddedredis.RedisServer;
import dev.ratelimit.fixture.FaultProxy;
import dev.ratelimit.fixture.FaultProxy.Fault;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.redis.InjectedTime;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.redis.TcpProxy;
import dev.ratelimit.store.redis.TestConnectionDetails;
import dev.ratelimit.store.redis.resp.RespNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.args.ClientPauseMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many requests that share round trips: what was granted adds up, and is what Redis
 * stores.
 */
@ExtendWith(SharedRedis.class)
class SharingCrowdTests {

	private static final int CLIENTS = 16;

	private static final Duration LONG = Duration.ofMinutes(1);

	private static List<Queue<AcquireResult>> crowd(Function<SplittableRandom, AcquireResult> request, int rounds) {
		return crowd(CLIENTS, request, rounds);
	}

	private static List<Queue<AcquireResult>> crowd(int count, Function<SplittableRandom, AcquireResult> request,
			int rounds) {
		List<CompletableFuture<Queue<AcquireResult>>> clients = IntStream.range(0, count)
			.mapToObj((seed) -> CompletableFuture.supplyAsync(() -> {
				SplittableRandom random = new SplittableRandom(seed);
				Queue<AcquireResult> results = new ConcurrentLinkedQueue<>();
				for (int round = 0; round < rounds; round++) {
					results.add(request.apply(random));
				}
				return results;
			}, (task) -> new Thread(task).start()))
			.toList();
		return clients.stream().map(CompletableFuture::join).toList();
	}

	private static long admitted(List<Queue<AcquireResult>> results) {
		return results.stream().flatMap(Queue::stream).filter(StoreRequests::isAdmitted).count();
	}

	@Test
	void neverMoreThanTheLimitIsGranted() {
		Limit limit = Limits.of("crowd", "1000/60s");
		try (RedisStore store = SharedRedis.store(TestConnectionDetails.standalone(SharedRedis.standalone().address()),
				SharedRedis.SETTINGS)) {
			List<Queue<AcquireResult>> results = crowd((random) -> StoreRequests.acquire(store, limit, "s"), 100);
			assertThat(admitted(results)).isEqualTo(1000);
			assertThat(results).allSatisfy((one) -> assertThat(one).allMatch(
					(result) -> result instanceof AcquireResult.Admitted || result instanceof AcquireResult.Refused));
		}
	}

	/** Each with a deadline of its own, most of which end on the way. */
	@Test
	void permitsGrantedInTimeAndPermitsReleasedLateAddUp() {
		Limit limit = Limits.of("crowd-late", "100000/600s");
		Queue<Boolean> released = new ConcurrentLinkedQueue<>();
		try (FaultProxy proxy = FaultProxy.to(SharedRedis.standalone().port());
				Jedis redis = SharedRedis.connect(SharedRedis.standalone());
				RedisStore store = SharedRedis.store(TestConnectionDetails.standalone(proxy.address()),
						SharedRedis.settings(3), (rule, acknowledged) -> released.add(acknowledged))) {
			StoreRequests.acquire(store, limit, "s");
			proxy.inject(Fault.DELAY, Duration.ofMillis(5));
			List<Queue<AcquireResult>> results = crowd((random) -> StoreRequests.acquire(store,
					StoreRequests.request(limit, "s"), Duration.ofMillis(random.nextInt(2, 20))), 50);
			proxy.inject(Fault.NONE);
			long awaited = results.stream()
				.flatMap(Queue::stream)
				.filter((result) -> result instanceof AcquireResult.Failed failed && failed.fate() == Fate.AWAITED)
				.count();
			Awaitility.await().atMost(LONG).untilAsserted(() -> assertThat(released).hasSize((int) awaited));
			assertThat(awaited).isPositive();
			assertThat(released).containsOnly(true);
			assertThat(redis.zcard(StoreRequests.key(StoreRequests.request(limit, "s"))))
				.isEqualTo(1 + admitted(results));
		}
	}

	/** All are sent to one node of three, and most of them are redirected. */
	@Test
	void aRequestSentElsewhereCountsOnce() {
		Limit limit = Limits.of("crowd-moved", "1000/60s");
		Nodes nodes = RespNodes.nodes(4, 100);
		RedisServer first = SharedRedis.cluster().nodes().get(0);
		CallRunner runner = RespNodes.runner(nodes, nodes.at(RespNodes.address(first)));
		try (RedisStore store = InjectedTime.shipped(runner)) {
			List<Queue<AcquireResult>> results = crowd(
					(random) -> StoreRequests.acquire(store, limit, "s" + random.nextInt(10)), 50);
			assertThat(admitted(results)).isEqualTo(CLIENTS * 50);
		}
		assertThat(SharedRedis.cluster().nodes().stream().mapToLong((node) -> entries(node, limit)).sum())
			.isEqualTo(CLIENTS * 50);
	}

	/** It stands before one node of three, and has words of its own for CROSSSLOT. */
	@Test
	void aProxyThatRefusesKeysOfSeveralSlotsGetsThemApart() {
		Limit limit = Limits.of("crowd-proxy", "1000/60s");
		AtomicInteger refused = new AtomicInteger();
		try (FaultProxy proxy = FaultProxy.to(SharedRedis.cluster().nodes().get(0).port());
				RedisStore store = SharedRedis.store(TestConnectionDetails.standalone(proxy.address()),
						SharedRedis.settings(2))) {
			proxy.corrupt((reply) -> inOtherWords(reply, refused));
			Function<SplittableRandom, AcquireResult> request = (random) -> StoreRequests.acquire(store, limit,
					"s" + random.nextInt(10));
			assertThat(admitted(crowd(64, request, 12))).isEqualTo(64 * 12);
			int atFirst = refused.get();
			assertThat(atFirst).isPositive();
			assertThat(admitted(crowd(64, request, 12))).isEqualTo(64 * 12);
			assertThat(refused).hasValue(atFirst);
		}
		assertThat(SharedRedis.cluster().nodes().stream().mapToLong((node) -> entries(node, limit)).sum())
			.isEqualTo(2 * 64 * 12);
	}

	private static byte[] inOtherWords(byte[] reply, AtomicInteger refused) {
		String text = new String(reply, StandardCharsets.ISO_8859_1);
		String changed = text.replace("-CROSSSLOT Keys in request don't hash to the same slot\r\n",
				"-ERR eval/evalsha command keys must in same slot\r\n");
		refused.addAndGet(changed.equals(text) ? 0 : 1);
		return changed.getBytes(StandardCharsets.ISO_8859_1);
	}

	private static long entries(RedisServer server, Limit limit) {
		try (Jedis redis = SharedRedis.connect(server)) {
			return redis.keys("*{" + limit.rule() + ":*").stream().mapToLong(redis::zcard).sum();
		}
	}

	/** Three of them are the usual batch slots; none delays the next request. */
	@Test
	void connectionsThatHangDelayNoRequest() {
		Limit limit = Limits.of("crowd-hang", "1000/60s");
		try (RedisServer server = RedisServer.start();
				TcpProxy proxy = TcpProxy.to(server.port());
				Jedis redis = SharedRedis.connect(server);
				RedisStore store = SharedRedis.store(TestConnectionDetails.standalone(proxy.address()),
						SharedRedis.settings(8))) {
			StoreRequests.acquire(store, limit, "s");
			proxy.reset();
			redis.clientPause(LONG.toMillis(), ClientPauseMode.WRITE);
			List<CompletableFuture<AcquireResult>> clients = IntStream.rangeClosed(1, 6).mapToObj((count) -> {
				CompletableFuture<AcquireResult> client = CompletableFuture.supplyAsync(
						() -> StoreRequests.acquire(store, StoreRequests.request(limit, "s"), LONG),
						(task) -> new Thread(task).start());
				Awaitility.await().atMost(LONG).until(() -> proxy.requested("EVALSHA") == count);
				return client;
			}).toList();
			assertThat(clients).noneMatch(CompletableFuture::isDone);
			redis.clientUnpause();
			assertThat(clients).allMatch((client) -> StoreRequests.isAdmitted(client.join()));
		}
	}

}

package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

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
import dev.ratelimit.store.redis.InjectedTime;
import dev.ratelimit.store.redis.RedisStore;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.redis.TcpProxy;
import dev.ratelimit.store.redis.TestConnectionDetails;
import dev.ratelimit.store.redis.resp.RedisStoreSettings;
import dev.ratelimit.store.redis.resp.RespNodes;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import redis.clients.jedis.HostAndPort;
import redis.clients.jedis.Jedis;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What passes between the store and Redis, seen from a proxy.
 */
@ExtendWith(SharedRedis.class)
class WireTests {

	/** How the key of every request ends. */
	private static final String KEY = "}:l1";

	private final Limit limit = Limits.of("wire", "5/60s");

	@Test
	void aLostReplyNeverCountsTwice() {
		RedisStoreSettings impatient = SharedRedis.settings(2);
		try (TcpProxy proxy = TcpProxy.to(SharedRedis.standalone().port());
				RedisStore store = SharedRedis.store(TestConnectionDetails.standalone(proxy.address()), impatient);
				Jedis redis = SharedRedis.connect(SharedRedis.standalone())) {
			StoreRequests.acquire(store, this.limit, "warm-up");
			proxy.reset();
			AcquireRequest request = StoreRequests.request(this.limit, "a");
			proxy.swallowReplies();
			assertThat(StoreRequests.acquire(store, request, Duration.ofMillis(300)))
				.isEqualTo(StoreRequests.failed(StoreFailure.TIMEOUT, Fate.AWAITED));
			proxy.awaitResponse();
			proxy.passReplies();
			assertThat(StoreRequests.acquire(store, request)).isInstanceOf(AcquireResult.Admitted.class);
			assertThat(proxy.requested("EVALSHA")).as("the script ran").isEqualTo(2);
			assertThat(redis.zcard(StoreRequests.key(request))).as("entries").isEqualTo(1);
		}
	}

	@Test
	void allRequestsAreSentBeforeTheFirstReplyIsAwaited() {
		try (TcpProxy proxy = TcpProxy.to(SharedRedis.standalone().port());
				RedisStore store = SharedRedis.store(TestConnectionDetails.standalone(proxy.address()),
						SharedRedis.SETTINGS)) {
			assertAllAreSentAtOnce(store, List.of(proxy), requests(7));
		}
	}

	@Test
	void allRequestsAreSentBeforeTheFirstReplyIsAwaitedOnAClusterToo() {
		Map<HostAndPort, TcpProxy> proxies = new LinkedHashMap<>();
		for (RedisServer node : SharedRedis.cluster().nodes()) {
			proxies.put(new HostAndPort(node.host(), node.port()), TcpProxy.to(node.port()));
		}
		CallRunner runner = RespNodes.cluster(List.copyOf(proxies.keySet()),
				(node) -> new HostAndPort("127.0.0.1", proxies.get(node).port()));
		try (RedisStore store = InjectedTime.shipped(runner)) {
			assertAllAreSentAtOnce(store, List.copyOf(proxies.values()), requests(24));
		}
		finally {
			proxies.values().forEach(TcpProxy::close);
		}
	}

	private List<AcquireRequest> requests(int count) {
		return IntStream.range(0, count).mapToObj((i) -> StoreRequests.request(this.limit, "s" + i)).toList();
	}

	private static void assertAllAreSentAtOnce(RedisStore store, List<TcpProxy> proxies,
			List<AcquireRequest> requests) {
		assertThat(store.acquire(requests, Patience.LONG).await()).as("to load the scripts")
			.allMatch(StoreRequests::isAdmitted);
		proxies.forEach(TcpProxy::reset);
		proxies.forEach(TcpProxy::holdReplies);
		CompletableFuture<List<AcquireResult>> results = CompletableFuture
			.supplyAsync(() -> store.acquire(requests, Patience.LONG).await());
		Awaitility.await()
			.atMost(Duration.ofSeconds(10))
			.until(() -> proxies.stream().mapToInt((proxy) -> proxy.requested(KEY)).sum() == requests.size());
		assertThat(proxies).allMatch((proxy) -> proxy.requested(KEY) > 0);
		assertThat(results).isNotDone();
		proxies.forEach(TcpProxy::passReplies);
		assertThat(results).succeedsWithin(10, TimeUnit.SECONDS)
			.asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.list(AcquireResult.class))
			.hasSize(requests.size())
			.allMatch(StoreRequests::isAdmitted);
	}

	@Test
	void aRequestWithoutAFreeConnectionInTimeIsNotCounted() throws Exception {
		Duration maxWait = Duration.ofMillis(200);
		try (TcpProxy proxy = TcpProxy.to(SharedRedis.standalone().port())) {
			Nodes nodes = RespNodes.nodes(1, 100);
			Node node = nodes.at("127.0.0.1:" + proxy.port());
			CallRunner runner = RespNodes.runner(nodes, node);
			try (RedisStore store = InjectedTime.shipped(runner)) {
				assertThat(StoreRequests.isAdmitted(StoreRequests.acquire(store, this.limit, "a"))).isTrue();
				Lane inUse = Exchanges.takeIdle(node);
				assertThat(StoreRequests.acquire(store, StoreRequests.request(this.limit, "a"), maxWait))
					.isEqualTo(StoreRequests.failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
				node.release(inUse, false);
				assertThat(StoreRequests.isAdmitted(StoreRequests.acquire(store, this.limit, "a"))).isTrue();
			}
		}
	}

	/** It may hang, and hold them all, while another one has become master. */
	@Test
	void aNodeWhoseConnectionsAllStayInUseIsSuspectedOnlyIfItAnswersNoRequest() throws Exception {
		Nodes nodes = RespNodes.nodes(1, 100);
		RedisServer server = SharedRedis.standalone();
		Node node = nodes.at(RespNodes.address(server));
		AtomicInteger discoveries = new AtomicInteger();
		CallRunner runner = RespNodes.discovered(nodes, () -> {
			discoveries.incrementAndGet();
			return node;
		});
		try (RedisStore store = InjectedTime.shipped(runner)) {
			assertThat(StoreRequests.isAdmitted(StoreRequests.acquire(store, this.limit, "a"))).isTrue();
			Lane inUse = Exchanges.takeIdle(node);
			int before = discoveries.get();
			assertThat(StoreRequests.acquire(store, StoreRequests.request(this.limit, "a"), Duration.ofMillis(10)))
				.isEqualTo(StoreRequests.failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
			assertThat(discoveries).hasValue(before);
			node.notAnswered();
			assertThat(StoreRequests.acquire(store, StoreRequests.request(this.limit, "a"), Duration.ofMillis(10)))
				.isEqualTo(StoreRequests.failed(StoreFailure.EXHAUSTED, Fate.NOT_TAKEN));
			Awaitility.await().atMost(Patience.LONG).until(() -> discoveries.get() > before);
			node.release(inUse, false);
		}
	}

	@Test
	void aScriptFlushGoesUnnoticed() {
		try (RedisStore store = SharedRedis.store(TestConnectionDetails.standalone(SharedRedis.standalone().address()),
				SharedRedis.SETTINGS); Jedis redis = SharedRedis.connect(SharedRedis.standalone())) {
			for (int i = 0; i < 5; i++) {
				redis.scriptFlush();
				AcquireRequest request = StoreRequests.request(this.limit, "a");
				assertThat(StoreRequests.acquire(store, request)).isInstanceOf(AcquireResult.Admitted.class);
				redis.scriptFlush();
				assertThat(
						store.settle(List.of(Settlement.release(new AcquiredPermits(request))), Patience.LONG).await())
					.containsExactly(SettlementResult.ACKNOWLEDGED);
				assertThat(StoreRequests.acquire(store, this.limit, "a")).isInstanceOf(AcquireResult.Admitted.class);
			}
			assertThat(StoreRequests.acquire(store, this.limit, "a")).isInstanceOf(AcquireResult.Refused.class);
		}
	}

}

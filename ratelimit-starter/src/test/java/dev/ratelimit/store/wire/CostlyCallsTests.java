package dev.ratelimit.store.wire;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.AcquireRequest;
import dev.ratelimit.store.AcquireResult;
import dev.ratelimit.store.Fate;
import dev.ratelimit.store.Limit;
import dev.ratelimit.store.Limits;
import dev.ratelimit.store.PermitId;
import dev.ratelimit.store.RateLimitStore;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.Subject;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.StoreCalls;
import dev.ratelimit.store.redis.StoreRequests;
import dev.ratelimit.store.redis.TcpProxy;
import dev.ratelimit.store.redis.resp.RespNodes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Calls that write many entries of a log wait in the client for those before them, and
 * usual calls pass them.
 */
@ExtendWith(SharedRedis.class)
class CostlyCallsTests {

	private static final int CONNECTIONS = 8;

	private static final int COSTLY = 10;

	/** What fits into the weight of a batch. */
	private static final int AT_ONCE = 4;

	private final Limit limit = Limits.of("costly", "1000000/60s");

	private final TcpProxy proxy = TcpProxy.to(SharedRedis.standalone().port());

	private final Nodes nodes = RespNodes.nodes(CONNECTIONS, 30);

	private final Node node = this.nodes.at("127.0.0.1:" + this.proxy.port());

	private final CallRunner runner = RespNodes.runner(this.nodes, this.node);

	private final RateLimitStore store = StoreCalls.store(this.runner, (rule, acknowledged) -> {
	});

	private final ExecutorService threads = Executors.newCachedThreadPool();

	/** The proxy holds the replies to the first commands of a connection, too. */
	@BeforeEach
	void openConnections() {
		Exchanges.open(this.node, CONNECTIONS);
	}

	@AfterEach
	void close() {
		this.threads.shutdownNow();
		this.store.close();
		this.proxy.close();
	}

	private AcquireRequest request(String subject, long cost) {
		return new AcquireRequest(this.limit, new Subject(subject), cost, new PermitId("p"));
	}

	private Future<AcquireResult> send(AcquireRequest request, Duration maxWait) {
		return this.threads.submit(() -> StoreRequests.acquire(this.store, request, maxWait));
	}

	@Test
	void usualCallsPassThoseThatWait() throws Exception {
		this.proxy.holdReplies();
		List<Future<AcquireResult>> costly = IntStream.range(0, COSTLY)
			.mapToObj((i) -> send(request("heavy" + i, 100), Patience.LONG))
			.toList();
		OneConnection.await(() -> this.node.waiting().count() == COSTLY - AT_ONCE);
		Future<AcquireResult> usual = send(request("light", 1), Patience.LONG);
		OneConnection.await(() -> this.proxy.requested("costly:light") == 1);
		assertThat(this.proxy.requested("costly:heavy")).isEqualTo(AT_ONCE);
		this.proxy.passReplies();
		assertThat(usual.get()).isInstanceOf(AcquireResult.Admitted.class);
		for (Future<AcquireResult> one : costly) {
			assertThat(one.get()).isInstanceOf(AcquireResult.Admitted.class);
		}
		assertThat(Exchanges.isRoomFree(this.node)).as("room for the next").isTrue();
	}

	@Test
	void aCallThatFindsNoRoomInTimeWasNotSent() throws Exception {
		this.proxy.holdReplies();
		List<Future<AcquireResult>> first = IntStream.range(0, AT_ONCE)
			.mapToObj((i) -> send(request("heavy" + i, 100), Patience.LONG))
			.toList();
		OneConnection.await(() -> this.proxy.requested("costly:heavy") == AT_ONCE);
		assertThat(send(request("heavy", 100), Duration.ofMillis(20)).get())
			.isEqualTo(StoreRequests.failed(StoreFailure.OVERLOADED, Fate.NOT_TAKEN));
		assertThat(this.proxy.requested("costly:heavy")).isEqualTo(AT_ONCE);
		this.proxy.passReplies();
		for (Future<AcquireResult> one : first) {
			assertThat(one.get()).isInstanceOf(AcquireResult.Admitted.class);
		}
	}

	/** It is sent over a connection that is in use anyway. */
	@Test
	void aCallThatUndoesAnotherTakesNoRoomAndMakesNone() {
		NodeCall costly = Exchanges.of(this.node, 20).calls().get(0);
		this.node.waiting().ended(List.of(Exchange.ofUndo(this.node, costly)));
		Exchange room = Exchanges.takeRoom(this.node);
		this.node.waiting().add(Exchanges.of(this.node, 2));
		assertThat(this.node.waiting().isReady()).isFalse();
		this.node.waiting().ended(List.of(room));
		assertThat(this.node.waiting().isReady()).isTrue();
	}

}

package dev.ratelimit.store.wire;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.ratelimit.fixture.Patience;
import dev.ratelimit.store.StoreFailure;
import dev.ratelimit.store.redis.SharedRedis;
import dev.ratelimit.store.redis.resp.RespNodes;
import dev.ratelimit.store.redis.resp.ScriptCall;
import org.apache.commons.logging.LogFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * When connections are opened, and which requests wait for that.
 */
class ReconnectTests {

	private static final Duration SHORT = Duration.ofMillis(20);

	private final AtomicInteger attempts = new AtomicInteger();

	private final LateLanes late = new LateLanes(BackgroundTasks.threadForOneTask("test-late"));

	private final ScheduledExecutorService timer = BackgroundTasks.timer("test");

	private static Connection connect(String address) throws NoConnectionException {
		return RespNodes.connect(SharedRedis.standalone().port());
	}

	private Node node(Connector connector, int maxConnections, int maxWaiting) {
		return new Node("redis:6379", "test-", (address) -> {
			this.attempts.incrementAndGet();
			return connector.connect(address);
		}, new BatchSlots(maxConnections, BatchSlots.PATIENCE), maxWaiting, new Incarnation(), this.late, this.timer,
				LogFactory.getLog(ReconnectTests.class));
	}

	private static NodeCall.CallState run(Node node, Duration maxWait) {
		ScriptCall call = OneConnection.call(List.of(), NodeCall.Afterwards.NOTHING);
		RespNodes.sendText(call);
		Exchange exchange = Exchanges.run(node, call, maxWait);
		if (exchange.hasEnded()) {
			assertThat(exchange.deliver()).isEmpty();
		}
		return call.outcome();
	}

	private static StoreFailure whyNone(Node node, Duration maxWait) {
		return ((NodeCall.FailedCall) run(node, maxWait)).failure();
	}

	@Test
	void aServerThatRefusesIsTriedAgainAfterPausesThatDouble() {
		try (Node node = node((address) -> {
			throw new NoConnectionException(StoreFailure.UNREACHABLE, "refused", null);
		}, 8, 100)) {
			long start = System.nanoTime();
			while (this.attempts.get() < 6) {
				assertThat(whyNone(node, Patience.LONG)).isEqualTo(StoreFailure.UNREACHABLE);
			}
			assertThat(Duration.ofNanos(System.nanoTime() - start))
				.isGreaterThanOrEqualTo(Duration.ofMillis(10 + 20 + 40 + 80 + 160));
		}
	}

	@Test
	void thePauseIsNeverLongerThanHalfASecond() {
		NodeOutage outage = NodeOutage.after(null, new IOException("refused"));
		for (int i = 0; i < 100; i++) {
			outage = NodeOutage.after(outage, outage.cause());
		}
		assertThat(outage.pause()).isEqualTo(Duration.ofMillis(500));
	}

	@Test
	void aNameServerThatHangsDelaysNoRequestForLonger() {
		CountDownLatch over = new CountDownLatch(1);
		try (Node node = node((address) -> {
			await(over);
			throw new NoConnectionException(StoreFailure.UNREACHABLE, "unknown", null);
		}, 8, 100)) {
			List<CompletableFuture<StoreFailure>> clients = IntStream.range(0, 20)
				.mapToObj((i) -> CompletableFuture.supplyAsync(() -> whyNone(node, SHORT),
						(task) -> new Thread(task).start()))
				.toList();
			assertThat(clients).allMatch((failure) -> failure.join() == StoreFailure.TIMEOUT);
			assertThat(this.attempts).as("one after the other").hasValue(1);
			over.countDown();
			Awaitility.await().atMost(Patience.LONG).until(() -> whyNone(node, SHORT) == StoreFailure.UNREACHABLE);
		}
	}

	/** Its first connection is still being opened. */
	@Test
	void aRequestThatWaitsForAConnectionFailsAtOnceWhenItsNodeIsClosed() {
		CountDownLatch over = new CountDownLatch(1);
		Node node = node((address) -> {
			await(over);
			throw new NoConnectionException(StoreFailure.UNREACHABLE, "unknown", null);
		}, 8, 100);
		CompletableFuture<StoreFailure> waiting = CompletableFuture
			.supplyAsync(() -> whyNone(node, Patience.LONG.multipliedBy(100)));
		Awaitility.await().atMost(Patience.LONG).until(() -> this.attempts.get() == 1 && node.waiting().count() == 1);
		node.close();
		assertThat(waiting).succeedsWithin(Patience.LONG).isEqualTo(StoreFailure.UNREACHABLE);
		over.countDown();
	}

	/** A discovery or a redirection may be under way while a store is closed. */
	@Test
	void noConnectionIsOpenedToANodeOfAClosedStore() {
		Nodes nodes = new Nodes("test", (address) -> {
			this.attempts.incrementAndGet();
			throw new NoConnectionException(StoreFailure.UNREACHABLE, "unknown", null);
		}, 1, 1, LogFactory.getLog(ReconnectTests.class));
		nodes.close();
		Node node = nodes.at("redis:6379");
		node.openFirst();
		assertThat(whyNone(node, Patience.LONG)).isEqualTo(StoreFailure.UNREACHABLE);
		assertThat(this.attempts).hasValue(0);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	@Test
	void aRequestIsRefusedAtOnceWhenTooManyWait() {
		try (Node node = node(ReconnectTests::connect, 1, 1)) {
			Lane only = Exchanges.takeIdle(node);
			CompletableFuture<NodeCall.CallState> waiting = CompletableFuture
				.supplyAsync(() -> run(node, Patience.LONG.multipliedBy(100)));
			Awaitility.await().atMost(Patience.LONG).until(() -> node.waiting().count() == 1);
			assertThat(whyNone(node, Patience.LONG)).isEqualTo(StoreFailure.OVERLOADED);
			assertThat(waiting).isNotDone();
			node.release(only, false);
			assertThat(waiting).succeedsWithin(Patience.LONG).isEqualTo(new NodeCall.Replied(1L));
		}
	}

	@Test
	void connectionsAreOpenedEvenIfNoRequestMayWait() {
		CountDownLatch refused = new CountDownLatch(1);
		try (Node node = node((address) -> {
			await(refused);
			return connect(address);
		}, 2, 0)) {
			assertThat(whyNone(node, Patience.LONG)).isEqualTo(StoreFailure.EXHAUSTED);
			refused.countDown();
			Exchanges.open(node, 1);
		}
	}

	@Test
	void anErrorDoesNotTakeThePlaceOfAConnection() {
		try (Node node = node((address) -> {
			if (this.attempts.get() == 1) {
				throw new NoClassDefFoundError("broken");
			}
			return connect(address);
		}, 1, 1)) {
			assertThat(whyNone(node, Patience.LONG)).isEqualTo(StoreFailure.ERROR);
			Exchanges.open(node, 1);
		}
	}

	@Test
	void connectionsAreNeitherLostNorTooManyHoweverTheyEnd() {
		AtomicInteger inUse = new AtomicInteger();
		try (Node node = node(ReconnectTests::connect, 4, 100)) {
			List<CompletableFuture<Void>> clients = IntStream.range(0, 16)
				.mapToObj((i) -> CompletableFuture.runAsync(() -> useAndEnd(node, inUse),
						(task) -> new Thread(task).start()))
				.toList();
			clients.forEach(CompletableFuture::join);
			Exchanges.open(node, 4);
			int opened = this.attempts.get();
			node.openAnother();
			assertThat(this.attempts).hasValue(opened);
		}
	}

	private static void useAndEnd(Node node, AtomicInteger inUse) {
		for (int round = 0; round < 200; round++) {
			Lane lane = Exchanges.takeIdle(node);
			assertThat(inUse.incrementAndGet()).isLessThanOrEqualTo(4);
			inUse.decrementAndGet();
			switch (round % 8) {
				case 0 -> node.discard(lane, StoreFailure.TIMEOUT);
				case 4 -> node.discard(lane, StoreFailure.UNREACHABLE);
				default -> node.release(lane, false);
			}
		}
	}

}

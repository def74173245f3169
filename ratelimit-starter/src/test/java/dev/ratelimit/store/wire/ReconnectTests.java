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

	private final AtomicInteger nodeCalls = new AtomicInteger();

	private final LateReplyReader late = new LateReplyReader(BackgroundTasks.threadForOneTask("test-late"));

	private final ScheduledExecutorService timer = BackgroundTasks.timer("test");

	private final AtomicInteger inUse = new AtomicInteger();

	private static Connection connect(String address) throws NoConnectionException {
		return RespNodes.connect(SharedRedis.standalone());
	}

	private Node node(Connector connector, int maxConnections, int maxWaiting) {
		return new Node("redis:6379", "test-", (address) -> {
			this.nodeCalls.incrementAndGet();
			return connector.connect(address);
		}, maxConnections, maxWaiting, new Incarnation(), this.late, this.timer,
				LogFactory.getLog(ReconnectTests.class));
	}

	private static StoreFailure whyNone(Node node, Duration maxWait) {
		try {
			node.release(node.borrow(new CallTime(maxWait)));
			throw new AssertionError("There was a connection");
		}
		catch (NoConnectionException ex) {
			return ex.failure();
		}
		catch (InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

	@Test
	void aServerThatRefusesIsTriedAgainAfterPausesThatDouble() {
		try (Node node = node((address) -> {
			throw new NoConnectionException(StoreFailure.UNREACHABLE, "refused", null);
		}, 8, 100)) {
			long start = System.nanoTime();
			while (this.nodeCalls.get() < 6) {
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
			assertThat(this.nodeCalls).as("one after the other").hasValue(1);
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
		Awaitility.await().atMost(Patience.LONG).until(() -> this.nodeCalls.get() == 1 && node.isConnectionWanted());
		node.close();
		assertThat(waiting).succeedsWithin(Patience.LONG).isEqualTo(StoreFailure.UNREACHABLE);
		over.countDown();
	}

	/** A discovery or a redirection may be under way while a store is closed. */
	@Test
	void noConnectionIsOpenedToANodeOfAClosedStore() {
		Nodes nodes = new Nodes("test", (address) -> {
			this.nodeCalls.incrementAndGet();
			throw new NoConnectionException(StoreFailure.UNREACHABLE, "unknown", null);
		}, 1, 1, LogFactory.getLog(ReconnectTests.class));
		nodes.close();
		Node node = nodes.at("redis:6379");
		node.openFirst();
		assertThat(whyNone(node, Patience.LONG)).isEqualTo(StoreFailure.UNREACHABLE);
		assertThat(this.nodeCalls).hasValue(0);
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
	void aRequestIsRefusedAtOnceWhenTooManyWait() throws Exception {
		try (Node node = node(ReconnectTests::connect, 1, 1)) {
			Connection only = node.borrow(new CallTime(Patience.LONG));
			CompletableFuture<StoreFailure> waiting = CompletableFuture
				.supplyAsync(() -> whyNone(node, Patience.LONG.multipliedBy(100)));
			Awaitility.await()
				.atMost(Patience.LONG)
				.until(() -> whyNone(node, Duration.ZERO) == StoreFailure.OVERLOADED);
			assertThatExceptionOfType(NoConnectionException.class)
				.isThrownBy(() -> node.borrow(new CallTime(Patience.LONG)))
				.withMessage("too many requests wait for a connection");
			assertThat(waiting).isNotDone();
			node.release(only);
			assertThat(waiting).failsWithin(Patience.LONG).withThrowableThat().withMessageContaining("There was");
		}
	}

	@Test
	void connectionsAreOpenedEvenIfNoRequestMayWait() throws Exception {
		CountDownLatch refused = new CountDownLatch(1);
		try (Node node = node((address) -> {
			await(refused);
			return connect(address);
		}, 2, 0)) {
			assertThat(whyNone(node, Patience.LONG)).isEqualTo(StoreFailure.EXHAUSTED);
			refused.countDown();
			Awaitility.await().atMost(Patience.LONG).until(() -> hasConnection(node));
		}
	}

	private static boolean hasConnection(Node node) throws InterruptedException {
		try {
			node.release(node.borrow(new CallTime(Duration.ZERO)));
			return true;
		}
		catch (NoConnectionException ex) {
			return false;
		}
	}

	@Test
	void anErrorDoesNotTakeThePlaceOfAConnection() throws Exception {
		try (Node node = node((address) -> {
			if (this.nodeCalls.get() == 1) {
				throw new NoClassDefFoundError("broken");
			}
			return connect(address);
		}, 1, 1)) {
			assertThat(whyNone(node, Patience.LONG)).isEqualTo(StoreFailure.ERROR);
			Awaitility.await().atMost(Patience.LONG).until(() -> hasConnection(node));
		}
	}

	@Test
	void connectionsAreNeitherLostNorTooManyHoweverTheyEnd() throws Exception {
		try (Node node = node(ReconnectTests::connect, 4, 100)) {
			List<CompletableFuture<Void>> clients = IntStream.range(0, 16)
				.mapToObj((i) -> CompletableFuture.runAsync(() -> useAndEnd(node), (task) -> new Thread(task).start()))
				.toList();
			clients.forEach(CompletableFuture::join);
			List<Connection> all = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				all.add(node.borrow(new CallTime(Patience.LONG)));
			}
			assertThat(whyNone(node, SHORT)).isEqualTo(StoreFailure.OVERLOADED);
			all.forEach(node::release);
		}
	}

	private void useAndEnd(Node node) {
		try {
			for (int round = 0; round < 200; round++) {
				Connection connection = node.borrow(new CallTime(Patience.LONG));
				assertThat(this.inUse.incrementAndGet()).isLessThanOrEqualTo(4);
				this.inUse.decrementAndGet();
				switch (round % 8) {
					case 0 -> node.discard(connection, StoreFailure.TIMEOUT);
					case 4 -> node.discard(connection, StoreFailure.UNREACHABLE);
					default -> node.release(connection);
				}
			}
		}
		catch (NoConnectionException | InterruptedException ex) {
			throw new AssertionError(ex);
		}
	}

}
